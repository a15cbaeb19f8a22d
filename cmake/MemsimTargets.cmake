# What most sources include; to parse it took a third of the time of an average one. The libraries
# and the command share one precompiled head, the tests another with Catch2.
set(memsim_standard_heads
  <algorithm> <array> <cstddef> <cstdint> <functional> <limits> <map> <memory>
  <optional> <span> <string> <string_view> <tl/expected.hpp> <tuple> <utility> <vector>)

# memsim_library(NAME): the static library memsim_NAME, known as memsim::NAME, installed and
# exported. Its folders add their files with memsim_sources.
function(memsim_library name)
  add_library(memsim_${name} STATIC)
  add_library(memsim::${name} ALIAS memsim_${name})
  set_target_properties(memsim_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(memsim_${name} PUBLIC cxx_std_20)
  target_link_libraries(memsim_${name} PRIVATE $<BUILD_INTERFACE:memsim_flags>)
  target_sources(memsim_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR})
  if(name STREQUAL "sim")
    target_precompile_headers(memsim_sim PRIVATE ${memsim_standard_heads})
  else()
    target_precompile_headers(memsim_${name} REUSE_FROM memsim_sim)
  endif()
endfunction()

# memsim_sources(NAME SOURCES a.cpp ... HEADERS a.hpp ...): files of the current folder. Headers are
# installed; a header that only this library may use is listed under SOURCES.
function(memsim_sources name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS")
  list(TRANSFORM arg_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  target_sources(memsim_${name} PRIVATE ${arg_SOURCES})
  target_sources(memsim_${name} PUBLIC FILE_SET HEADERS FILES ${arg_HEADERS})
endfunction()

# memsim_test(NAME SOURCES ... LIBRARIES ... [LABELS long]): one Catch2 executable. Each of its test
# cases is one ctest entry. Label `long`: only in `./dev test --all`.
function(memsim_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;LABELS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE memsim_test_flags Catch2::Catch2WithMain ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE MEMSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_precompile_headers(${name} REUSE_FROM memsim_test_heads)

  # ctest reads the list when it runs; an executable that was not built is a test that fails.
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${name}_list.cmake)
  add_custom_command(TARGET ${name} POST_BUILD BYPRODUCTS ${list} VERBATIM
    COMMAND ${CMAKE_COMMAND}
      -D EXECUTABLE=$<TARGET_FILE:${name}> -D NAME=${name} -D LABELS=${arg_LABELS}
      -D OUTPUT=${list} -P ${PROJECT_SOURCE_DIR}/cmake/list_tests.cmake)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${name}_include.cmake
    "if(EXISTS [==[${list}]==])\n  include([==[${list}]==])\nelse()\n"
    "  add_test(${name}_is_not_built ${name}_is_not_built)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY
    TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}_include.cmake)
endfunction()

# memsim_benchmark(NAME SOURCES ... LIBRARIES ...): one Google Benchmark executable, with a main.
# `./dev bench` runs every executable of tests/bench that is called bench_*.
function(memsim_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE memsim_flags benchmark::benchmark_main ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE MEMSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endfunction()
