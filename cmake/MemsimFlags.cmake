# Flags of memsim's own code, on one target that is never exported.
# -ffp-contract=off: the few floating-point expressions must give the same bits on every machine.
# -fmacro-prefix-map: __FILE__ (in messages about broken invariants) does not depend on the folder,
# whether the compiler is given an absolute path or, by ccache, one relative to the build folder.
file(RELATIVE_PATH source_from_build ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/sim)
string(REGEX REPLACE "sim$" "" source_from_build ${source_from_build})
add_library(memsim_flags INTERFACE)
target_compile_options(memsim_flags INTERFACE
  -ffp-contract=off
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/= -fmacro-prefix-map=${source_from_build}=
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
  -Wnon-virtual-dtor -Wold-style-cast -Wcast-align -Woverloaded-virtual -Wdouble-promotion
  # g++ 12 warns falsely, by one name or another, when a std::string is assigned from or joined with
  # a literal (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)

# Tests take longer to compile than to run: they are optimised less than what they test.
add_library(memsim_test_flags INTERFACE)
target_compile_features(memsim_test_flags INTERFACE cxx_std_20)
target_link_libraries(memsim_test_flags INTERFACE memsim_flags)
target_compile_options(memsim_test_flags INTERFACE $<$<CONFIG:Release>:-O1>)

option(MEMSIM_WERROR "Treat warnings as errors (presets for developers)" OFF)
if(MEMSIM_WERROR)
  target_compile_options(memsim_flags INTERFACE -Werror)
endif()

set(MEMSIM_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")
if(MEMSIM_SANITIZE)
  target_compile_options(memsim_flags INTERFACE
    -fsanitize=${MEMSIM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # g++ 12 warns falsely of std::regex under sanitizers (GCC bug 105562).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(memsim_flags INTERFACE -fsanitize=${MEMSIM_SANITIZE})
endif()

option(MEMSIM_COVERAGE "Count executed lines" OFF)
if(MEMSIM_COVERAGE)
  target_compile_options(memsim_flags INTERFACE --coverage)
  target_link_options(memsim_flags INTERFACE --coverage)
endif()

# ccache, where there is one and nobody chose a launcher. The settings let it see through
# precompiled headers, and share results between clones in different folders.
find_program(MEMSIM_CCACHE ccache)
mark_as_advanced(MEMSIM_CCACHE)
if(MEMSIM_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_ctime,include_file_mtime
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_IGNOREOPTIONS=-fmacro-prefix-map=*
    ${MEMSIM_CCACHE})
  target_compile_options(memsim_flags INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
