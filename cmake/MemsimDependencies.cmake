# Everything comes from Debian 12 packages: `./dev deps` installs them.
find_package(tl-expected REQUIRED CONFIG)
find_package(fmt 9 REQUIRED CONFIG)
find_package(Boost 1.74 REQUIRED)
find_package(tomlplusplus 3.3 REQUIRED CONFIG)
find_package(nlohmann_json 3.11 REQUIRED CONFIG)
find_package(CLI11 2.1 REQUIRED CONFIG)
find_package(ZLIB REQUIRED)
find_package(Eigen3 3.4 REQUIRED CONFIG)

if(MEMSIM_TESTS)
  find_package(Catch2 2.13 REQUIRED CONFIG)
  find_package(rapidcheck REQUIRED CONFIG)
endif()

if(MEMSIM_BENCHMARKS)
  find_package(benchmark 1.7 REQUIRED CONFIG)
endif()
