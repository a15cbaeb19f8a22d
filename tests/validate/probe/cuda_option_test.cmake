# cmake -D SOURCE=FOLDER -D FOLDER=FOLDER -D GENERATOR=TEXT -P cuda_option_test.cmake
#
# Configures memsim with an nvcc that does not work: AUTO goes without, ON is an error that says why.
cmake_minimum_required(VERSION 3.25)

function(configure value result_variable output_variable)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER}/${value} -G ${GENERATOR}
      -D MEMSIM_TESTS=OFF -D MEMSIM_CUDA=${value} -D CMAKE_CUDA_COMPILER=${FOLDER}/nvcc
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(${result_variable} "${result}" PARENT_SCOPE)
  # CMake breaks the lines of its errors.
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  set(${output_variable} "${output}" PARENT_SCOPE)
endfunction()

function(expect value result_pattern output_pattern)
  configure(${value} result output)
  if(NOT result MATCHES "${result_pattern}" OR NOT output MATCHES "${output_pattern}")
    message(SEND_ERROR "MEMSIM_CUDA=${value}: ${result}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(WRITE ${FOLDER}/nvcc "#!/bin/sh\nexit 3\n")
file(CHMOD ${FOLDER}/nvcc PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(problem "${FOLDER}/nvcc is no working nvcc \\(--version: 3\\)")
expect(AUTO "^0$" "-- GPU probes: not built, ${problem}")
expect(ON "^1$" "MEMSIM_CUDA=ON, but no CUDA toolkit can be used: ${problem}")
expect(PERHAPS "^1$" "MEMSIM_CUDA is \"PERHAPS\": expected AUTO, ON or OFF")
expect(OFF "^0$" "Generating done")
