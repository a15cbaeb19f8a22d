# cmake -D MODULE=cmake/CudaToolkit.cmake -D FOLDER=FOLDER -P cuda_toolkit_test.cmake
#
# What memsim makes of toolkits of all kinds. Each nvcc here is a shell script in FOLDER.
cmake_minimum_required(VERSION 3.25)
include(${MODULE})

function(expect actual expected)
  if(NOT actual STREQUAL expected)
    message(SEND_ERROR "expected\n  ${expected}\nfound\n  ${actual}")
  endif()
endfunction()

function(expect_match actual pattern)
  if(NOT actual MATCHES "${pattern}")
    message(SEND_ERROR "expected a match of\n  ${pattern}\nfound\n  ${actual}")
  endif()
endfunction()

# fake_nvcc(FILE VERSION COMPILE): an nvcc that compiles by doing COMPILE, and logs that it did.
function(fake_nvcc file version compile)
  file(WRITE ${file}
    "#!/bin/sh\ncase $1 in\n"
    "--version) echo 'Cuda compilation tools, release 0.0, V${version}' ;;\n"
    "--list-gpu-arch) printf 'compute_75\\ncompute_80\\ncompute_90\\ncompute_121\\n' ;;\n"
    "*) echo \"$@\" >>'${FOLDER}/compiled.log'; ${compile} ;;\nesac\n")
  file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# find(NVCC): memsim_find_cuda with this compiler; its results without the prefix.
macro(find nvcc)
  set(CMAKE_CUDA_COMPILER ${nvcc})
  memsim_find_cuda(found /usr/bin/host ${FOLDER}/trial)
endmacro()

file(REMOVE_RECURSE ${FOLDER})
fake_nvcc(${FOLDER}/good/bin/nvcc 13.0.88 "exit 0")
fake_nvcc(${FOLDER}/old 11.8.89 "exit 0")
fake_nvcc(${FOLDER}/strict 13.0.88
  "echo 'In file included from x:'; echo 'x:1: #error -- unsupported GNU version! gcc 99' >&2; exit 1")
fake_nvcc(${FOLDER}/dying 13.0.88 "kill -9 $$")
file(WRITE ${FOLDER}/text "no program")

# A toolkit that works.
find(${FOLDER}/good/bin/nvcc)
expect("${found_PROBLEM}" "")
expect("${found_NVCC}" ${FOLDER}/good/bin/nvcc)
expect("${found_VERSION}" 13.0.88)
expect("${found_KNOWN}" "75;80;90;121")
file(READ ${FOLDER}/compiled.log log)
expect_match("${log}" "-ccbin /usr/bin/host -o ")

# It is not tried a second time, but another one is.
find(${FOLDER}/good/bin/nvcc)
file(READ ${FOLDER}/compiled.log again)
expect("${again}" "${log}")

# Toolkits that do not.
find(${FOLDER}/nowhere/nvcc)
expect("${found_PROBLEM}" "no nvcc in CMAKE_CUDA_COMPILER=${FOLDER}/nowhere/nvcc")
find(${FOLDER}/text)
expect("${found_PROBLEM}" "no nvcc in CMAKE_CUDA_COMPILER=${FOLDER}/text")
find(/bin/true)
expect("${found_PROBLEM}" "/bin/true is no working nvcc (--version: 0)")
find(${FOLDER}/old)
expect("${found_PROBLEM}" "${FOLDER}/old is CUDA 11.8.89, older than 12.0")
find(${FOLDER}/strict)
expect("${found_PROBLEM}" "${FOLDER}/strict with /usr/bin/host as host compiler fails (1): \
x:1: #error -- unsupported GNU version! gcc 99")
find(${FOLDER}/dying)
expect_match("${found_PROBLEM}" "/dying with /usr/bin/host as host compiler fails \\(.+\\): $")

# Where nvcc is looked for.
unset(CMAKE_CUDA_COMPILER)
set(ENV{CUDACXX} ${FOLDER}/old)
memsim_find_nvcc(nvcc places)
expect("${nvcc}" ${FOLDER}/old)
expect("${places}" "CUDACXX=${FOLDER}/old (environment)")
unset(ENV{CUDACXX})
set(ENV{CUDA_PATH} ${FOLDER}/good)
memsim_find_nvcc(nvcc places)
expect("${nvcc}" ${FOLDER}/good/bin/nvcc)
unset(ENV{CUDA_PATH})
set(ENV{PATH} ${FOLDER}/good/bin)
memsim_find_nvcc(nvcc places)
expect("${nvcc}" ${FOLDER}/good/bin/nvcc)
expect("${places}" "CUDAToolkit_ROOT, CUDA_PATH, PATH, /usr/local/cuda/bin")

# Architectures: machine code of those that memsim wants and nvcc knows, PTX of the newest of them.
memsim_choose_architectures(chosen "75;80;86;87;89;90;100;121")
expect("${chosen}" "80-real;86-real;89-real;90")
memsim_choose_architectures(chosen "50;75;80;86")
expect("${chosen}" "80-real;86")
memsim_choose_architectures(chosen "100;121")
expect("${chosen}" "")
memsim_check_architectures(problem "75-real;90a;native;80-virtual" "75;80;90;90a")
expect("${problem}" "")
memsim_check_architectures(problem "70;80" "75;80")
expect("${problem}" "\"70\" is none of the architectures that nvcc knows: 75 80")
