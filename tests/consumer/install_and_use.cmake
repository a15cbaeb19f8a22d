# Installs BUILD under FOLDER, then configures, builds and runs the project in SOURCE against it.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(NOTICE "${output}")
    message(FATAL_ERROR "${ARGV} failed")
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER}/prefix ${FOLDER}/project)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER}/project -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${FOLDER}/prefix)
run(${CMAKE_COMMAND} --build ${FOLDER}/project)
run(${FOLDER}/project/consumer)
# The installed command answers from the installed catalogue.
run(${FOLDER}/prefix/bin/memsim plan --hw a100 --model 125m --levers none
  --data ${FOLDER}/prefix/share/memsim)
