# Looks for a CUDA toolkit that works, without enabling the language: enable_language ends the
# configuration where anything is wrong, and memsim builds without CUDA just as well.
# Also for scripts (cmake -P).

# Older ones make a context at another moment, and do not take g++ 12.
set(memsim_oldest_cuda 12.0)
# A100; A10 and RTX 30; L4, L40 and RTX 40; H100 and H200. Newer GPUs run the PTX of the last.
set(memsim_cuda_architectures 80 86 89 90)

# memsim_run(RESULT OUTPUT COMMAND...): the exit code or what kept it from running, and all it said.
function(memsim_run result_variable output_variable)
  execute_process(COMMAND ${ARGN} TIMEOUT 120
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(${result_variable} "${result}" PARENT_SCOPE)
  set(${output_variable} "${output}" PARENT_SCOPE)
endfunction()

# memsim_find_nvcc(NVCC PLACES): the compiler, or NOTFOUND; where it was looked for, as a text.
# CMAKE_CUDA_COMPILER and CUDACXX decide where they are set, as in CMake itself.
function(memsim_find_nvcc nvcc_variable places_variable)
  set(nvcc NOTFOUND)  # find_program would keep a caller's variable of that name
  if(CMAKE_CUDA_COMPILER)
    find_program(nvcc NAMES ${CMAKE_CUDA_COMPILER} NO_CACHE)
    set(places "CMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER}")
  elseif(NOT "$ENV{CUDACXX}" STREQUAL "")
    find_program(nvcc NAMES $ENV{CUDACXX} NO_CACHE)
    set(places "CUDACXX=$ENV{CUDACXX} (environment)")
  else()
    find_program(nvcc NAMES nvcc PATH_SUFFIXES bin NO_CACHE
      HINTS ${CUDAToolkit_ROOT} ENV CUDAToolkit_ROOT ENV CUDA_PATH
      PATHS /usr/local/cuda)
    set(places "CUDAToolkit_ROOT, CUDA_PATH, PATH, /usr/local/cuda/bin")
  endif()
  set(${nvcc_variable} "${nvcc}" PARENT_SCOPE)
  set(${places_variable} "${places}" PARENT_SCOPE)
endfunction()

# memsim_try_nvcc(PROBLEM NVCC HOST FOLDER): compiles and links a program in FOLDER with HOST as the
# host compiler; PROBLEM is empty, or what stood in the way.
function(memsim_try_nvcc problem_variable nvcc host folder)
  file(WRITE ${folder}/trial.cu
    "#include <cuda.h>\n#include <cuda_runtime_api.h>\n#include <string>\n"
    "__global__ void kernel() {}\n"
    "int main() {\n  kernel<<<1, 1>>>();\n  return cudaDeviceSynchronize() != cudaSuccess;\n}\n")
  memsim_run(result output ${nvcc} -std=c++17 -ccbin ${host} -o ${folder}/trial ${folder}/trial.cu)
  set(problem "")
  if(NOT result EQUAL 0)
    # The line that says why; nvcc's list of what it went through stands before it.
    string(REGEX MATCH "[^\n]*([Ee]rror|unsupported|not found|No such)[^\n]*" line "${output}")
    if(line STREQUAL "")
      string(REGEX MATCH "[^\n]+" line "${output}")
    endif()
    set(problem "${nvcc} with ${host} as host compiler fails (${result}): ${line}")
  endif()
  set(${problem_variable} "${problem}" PARENT_SCOPE)
endfunction()

# memsim_find_cuda(PREFIX HOST FOLDER): a toolkit whose nvcc takes the compiler HOST; FOLDER is for
# trials. Sets PREFIX_NVCC, PREFIX_VERSION, PREFIX_KNOWN (the numbers of the architectures it knows)
# and PREFIX_PROBLEM (empty when the toolkit can be used).
function(memsim_find_cuda prefix host folder)
  set(version "")
  set(known "")
  set(problem "")
  memsim_find_nvcc(nvcc places)
  if(NOT nvcc)
    set(problem "no nvcc in ${places}")
  else()
    memsim_run(result output ${nvcc} --version)
    if(result EQUAL 0 AND output MATCHES "Cuda compilation tools, release [0-9.]+, V([0-9.]+)")
      set(version ${CMAKE_MATCH_1})
    endif()
    if(version STREQUAL "")
      set(problem "${nvcc} is no working nvcc (--version: ${result})")
    elseif(version VERSION_LESS memsim_oldest_cuda)
      set(problem "${nvcc} is CUDA ${version}, older than ${memsim_oldest_cuda}")
    endif()
  endif()
  # Once is enough for a build folder: it takes a second or two.
  set(pair "${nvcc} ${version} ${host}")
  if(problem STREQUAL "" AND NOT MEMSIM_CUDA_TRIED STREQUAL pair)
    memsim_try_nvcc(problem ${nvcc} ${host} ${folder})
    if(problem STREQUAL "")
      set(MEMSIM_CUDA_TRIED "${pair}" CACHE INTERNAL "nvcc and host compiler that work together")
    endif()
  endif()
  if(problem STREQUAL "")
    memsim_run(result output ${nvcc} --list-gpu-arch)
    string(REGEX MATCHALL "compute_[0-9]+[a-z]?" known "${output}")
    list(TRANSFORM known REPLACE "compute_" "")
  endif()
  set(${prefix}_NVCC "${nvcc}" PARENT_SCOPE)
  set(${prefix}_VERSION "${version}" PARENT_SCOPE)
  set(${prefix}_KNOWN "${known}" PARENT_SCOPE)
  set(${prefix}_PROBLEM "${problem}" PARENT_SCOPE)
endfunction()

# memsim_choose_architectures(LIST KNOWN): of memsim_cuda_architectures those in KNOWN, in the words
# of CMAKE_CUDA_ARCHITECTURES: machine code of each, and PTX of the newest. Empty where none is known.
function(memsim_choose_architectures list_variable known)
  set(chosen "")
  foreach(number IN LISTS memsim_cuda_architectures)
    if(number IN_LIST known)
      list(APPEND chosen ${number}-real)
    endif()
  endforeach()
  if(chosen)
    list(TRANSFORM chosen REPLACE "-real$" "" AT -1)
  endif()
  set(${list_variable} "${chosen}" PARENT_SCOPE)
endfunction()

# memsim_check_architectures(PROBLEM ASKED KNOWN): whether nvcc knows all that is ASKED, in the words
# of CMAKE_CUDA_ARCHITECTURES.
function(memsim_check_architectures problem_variable asked known)
  set(problem "")
  foreach(architecture IN LISTS asked)
    string(REGEX REPLACE "-(real|virtual)$" "" number "${architecture}")
    if(NOT number IN_LIST known AND NOT architecture MATCHES "^(all|all-major|native)$")
      list(JOIN known " " names)
      set(problem "\"${architecture}\" is none of the architectures that nvcc knows: ${names}")
    endif()
  endforeach()
  set(${problem_variable} "${problem}" PARENT_SCOPE)
endfunction()
