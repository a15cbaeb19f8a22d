# cmake -D CHECKER=FILE -D ROOT=FOLDER -P expect_violations.cmake
# The checker has to fail on the tree and to report exactly the lines of ROOT/expected.txt.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${ROOT} -P ${CHECKER}
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "the checker accepts a wrong tree")
endif()

file(READ ${ROOT}/expected.txt expected)
string(REGEX MATCHALL "[^\n]+:[0-9]+: [^\n]+" reported "${output}")
list(FILTER reported EXCLUDE REGEX "check_layers.cmake")
list(JOIN reported "\n" reported)
string(STRIP "${expected}" expected)
if(NOT reported STREQUAL expected)
  message(FATAL_ERROR "expected\n${expected}\nreported\n${reported}")
endif()
