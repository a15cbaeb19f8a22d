# Builds the command once more: -D SOURCE -D FOLDER -D GENERATOR -D COMPILER -D FLAGS.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(NOTICE "${output}")
    message(FATAL_ERROR "${ARGV} failed")
  endif()
endfunction()

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER} -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS} -D CMAKE_BUILD_TYPE=
  -D MEMSIM_TESTS=OFF -D MEMSIM_CUDA=OFF -D MEMSIM_WERROR=ON)
run(${CMAKE_COMMAND} --build ${FOLDER} --target memsim --parallel)
