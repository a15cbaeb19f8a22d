# cmake -D EXECUTABLE=FILE -D NAME=TEXT -D LABELS=TEXT -D OUTPUT=FILE -P list_tests.cmake
#
# Writes an add_test for each test case of a Catch2 executable. (Catch2's own module splits names at
# semicolons and takes names that begin with -- for options.) A case that is not found again by its
# name fails: -w NoTests.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${EXECUTABLE} --list-test-names-only
  OUTPUT_VARIABLE names ERROR_VARIABLE error RESULT_VARIABLE count)
if(NOT count MATCHES "^[1-9][0-9]*$")  # Catch2 2 returns the number of cases
  message(FATAL_ERROR "${EXECUTABLE} lists no tests: ${count}\n${names}${error}")
endif()

set(script "")
while(names MATCHES "^([^\n]*)\n")
  set(name "${CMAKE_MATCH_1}")
  string(LENGTH "${name}\n" length)
  string(SUBSTRING "${names}" ${length} -1 names)
  if(name STREQUAL "")
    continue()
  endif()
  # In quotes only quotes and backslashes mean something to Catch2.
  string(REGEX REPLACE "([\"\\])" "\\\\\\1" pattern "${name}")
  string(APPEND script
    "add_test([==[${NAME}: ${name}]==] [==[${EXECUTABLE}]==] [==[\"${pattern}\"]==] -w NoTests)\n"
    "set_tests_properties([==[${NAME}: ${name}]==] PROPERTIES\n"
    "  ENVIRONMENT RC_PARAMS=seed=1 LABELS [==[${LABELS}]==])\n")
endwhile()
file(WRITE ${OUTPUT} "${script}")
