# MEMSIM_CUDA: whether the probes of GPUs (validate/probe/cuda) are built. Nothing else needs CUDA.
# Sets memsim_with_cuda; where it is true the language CUDA is on, for the wanted architectures.
include(CudaToolkit)

set(memsim_cuda_default OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(memsim_cuda_default AUTO)
endif()
set(MEMSIM_CUDA ${memsim_cuda_default} CACHE STRING
  "Build the GPU probes: AUTO (where a usable CUDA toolkit is found), ON or OFF")
set(MEMSIM_CUDA_ARCHITECTURES "" CACHE STRING
  "What the GPU probes are built for, as CMAKE_CUDA_ARCHITECTURES; empty: memsim's own list")
set_property(CACHE MEMSIM_CUDA PROPERTY STRINGS AUTO ON OFF)
if(NOT MEMSIM_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "MEMSIM_CUDA is \"${MEMSIM_CUDA}\": expected AUTO, ON or OFF")
endif()

set(memsim_with_cuda FALSE)
if(MEMSIM_CUDA STREQUAL "OFF")
  return()
endif()

# The host compiler is the compiler of everything else, unless somebody chose one.
if(NOT "$ENV{CUDAHOSTCXX}" STREQUAL "")
  set(CMAKE_CUDA_HOST_COMPILER $ENV{CUDAHOSTCXX})
elseif(NOT CMAKE_CUDA_HOST_COMPILER)
  set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
endif()
memsim_find_cuda(memsim_cuda ${CMAKE_CUDA_HOST_COMPILER} ${PROJECT_BINARY_DIR}/CMakeFiles/cuda)

if(memsim_cuda_PROBLEM STREQUAL "")
  set(CMAKE_CUDA_ARCHITECTURES "${MEMSIM_CUDA_ARCHITECTURES}")
  if(CMAKE_CUDA_ARCHITECTURES STREQUAL "")
    memsim_choose_architectures(CMAKE_CUDA_ARCHITECTURES "${memsim_cuda_KNOWN}")
  endif()
  memsim_check_architectures(problem "${CMAKE_CUDA_ARCHITECTURES}" "${memsim_cuda_KNOWN}")
  if(NOT problem STREQUAL "")  # never AUTO's own choice
    message(FATAL_ERROR "MEMSIM_CUDA_ARCHITECTURES: ${problem}")
  endif()
  if(CMAKE_CUDA_ARCHITECTURES STREQUAL "")
    set(memsim_cuda_PROBLEM
      "${memsim_cuda_NVCC} knows none of ${memsim_cuda_architectures}; set MEMSIM_CUDA_ARCHITECTURES")
  endif()
endif()

if(memsim_cuda_PROBLEM STREQUAL "")
  set(CMAKE_CUDA_COMPILER ${memsim_cuda_NVCC})
  enable_language(CUDA)
  set(memsim_with_cuda TRUE)
  message(STATUS "GPU probes: CUDA ${memsim_cuda_VERSION}, ${memsim_cuda_NVCC}, "
    "for ${CMAKE_CUDA_ARCHITECTURES}")
elseif(MEMSIM_CUDA STREQUAL "ON")
  message(FATAL_ERROR "MEMSIM_CUDA=ON, but no CUDA toolkit can be used: ${memsim_cuda_PROBLEM}")
else()
  message(STATUS "GPU probes: not built, ${memsim_cuda_PROBLEM}")
endif()
