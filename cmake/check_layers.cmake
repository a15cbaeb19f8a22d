# cmake -D ROOT=FOLDER -P check_layers.cmake
#
# Fails, naming file and line, when a file of the five layers
#   - includes a layer to its right (sim <- models <- scenarios <- validate <- app), or includes one
#     of our files by a path that does not start at the root;
#   - is a header that includes a heavy or private third-party library;
#   - uses what makes results depend on the machine, the moment or the run, in a layer where time and
#     bytes are decided;
#   - prints or ends the process, in a library;
#   - joins the probes (validate/probe), which are programs of their own, with anything else;
#   - is listed in no CMakeLists.txt, so that it is neither built nor installed (headers of app need
#     no listing: nobody includes them from outside).
cmake_minimum_required(VERSION 3.25)

set(layers sim models scenarios validate app)
set(probe "^validate/probe/")
set(violations "")

function(report file line message)
  list(APPEND violations "${file}:${line}: ${message}")
  set(violations "${violations}" PARENT_SCOPE)
endfunction()

# line_of(RESULT TEXT OFFSET): number of the line that holds the character at OFFSET.
function(line_of result text offset)
  string(SUBSTRING "${text}" 0 ${offset} before)
  string(REGEX REPLACE "[^\n]" "" newlines "${before}")
  string(LENGTH "${newlines}" count)
  math(EXPR count "${count} + 1")
  set(${result} ${count} PARENT_SCOPE)
endfunction()

# read_source(RESULT FILE): the text, with the characters that CMake lists cannot hold replaced, and
# with comments and string literals emptied (paths of #include lines are kept).
function(read_source result file)
  file(READ "${file}" text)
  string(REPLACE ";" "," text "${text}")
  string(REPLACE "[" "(" text "${text}")
  string(REPLACE "]" ")" text "${text}")
  string(REPLACE "\\" "/" text "${text}")
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "(\n[ \t]*#[ \t]*include[ \t]*)\"([^\"\n]*)\"" "\\1<own:\\2>" text "\n${text}")
  string(REGEX REPLACE "\"[^\"\n]*\"" "\"\"" text "${text}")
  string(SUBSTRING "${text}" 1 -1 text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# forbid(FILE TEXT PATTERN MESSAGE): reports every match of PATTERN that is a word of its own.
function(forbid file text pattern message)
  string(REGEX MATCHALL "(^|[^A-Za-z0-9_])(${pattern})([^A-Za-z0-9_]|$)" matches "${text}")
  set(rest "${text}")
  set(base 0)
  foreach(match IN LISTS matches)
    string(FIND "${rest}" "${match}" offset)
    math(EXPR position "${base} + ${offset} + 1")
    string(LENGTH "${text}" length)
    if(position GREATER length)
      set(position ${length})
    endif()
    line_of(line "${text}" ${position})
    string(REGEX MATCH "${pattern}" word "${match}")
    report("${file}" ${line} "${word}: ${message}")
    set(base ${position})
    string(SUBSTRING "${text}" ${base} -1 rest)
  endforeach()
  set(violations "${violations}" PARENT_SCOPE)
endfunction()

function(check_includes file text layer)
  list(FIND layers ${layer} rank)
  string(REGEX MATCHALL "#[ \t]*include[ \t]*<own:[^>\n]*>" includes "${text}")
  foreach(include IN LISTS includes)
    string(FIND "${text}" "${include}" offset)
    line_of(line "${text}" ${offset})
    string(REGEX REPLACE ".*<own:(.*)>" "\\1" path "${include}")
    string(REGEX REPLACE "/.*" "" target "${path}")
    list(FIND layers "${target}" target_rank)
    if(target_rank EQUAL -1)
      report("${file}" ${line} "#include \"${path}\": the path must start at the root, with a layer")
    elseif(target_rank GREATER rank)
      report("${file}" ${line} "#include \"${path}\": ${layer} may not include ${target}")
    elseif(file MATCHES "${probe}" AND NOT path MATCHES "${probe}")
      report("${file}" ${line} "#include \"${path}\": a probe stands alone")
    elseif(path MATCHES "${probe}" AND NOT file MATCHES "${probe}")
      report("${file}" ${line} "#include \"${path}\": probes are no part of the libraries")
    endif()
  endforeach()
  set(violations "${violations}" PARENT_SCOPE)
endfunction()

function(check_listed file)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET file FILENAME name)
  set(relative "${name}")
  while(NOT folder STREQUAL "")
    if(EXISTS "${ROOT}/${folder}/CMakeLists.txt")
      file(READ "${ROOT}/${folder}/CMakeLists.txt" listing)
      string(REGEX MATCHALL "[^ \t\r\n()]+" words "${listing}")
      if("${relative}" IN_LIST words)
        return()
      endif()
    endif()
    cmake_path(GET folder FILENAME last)
    set(relative "${last}/${relative}")
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
  report("${file}" 1 "listed in no CMakeLists.txt")
  set(violations "${violations}" PARENT_SCOPE)
endfunction()

set(heavy "toml\\+\\+/[^>]*|nlohmann/json\\.hpp|CLI/[^>]*|boost/[^>]*|Eigen/[^>]*|fmt/[^>]*|zlib\\.h")
set(moment "unordered_(multi)?(map|set)|chrono|ctime|time\\.h|sys/time\\.h|clock_gettime")
string(APPEND moment "|getenv|std::hash|std::(random_)?shuffle|random_device|std::rand|srand")
string(APPEND moment "|[a-z_]*_distribution|std::locale")
set(floating "float|double|long double|cmath|math\\.h|cfloat")
set(process "iostream|std::cout|std::cerr|std::exit|std::abort|printf|puts|fmt::print")

# Floating point decides nothing in these files:
set(floating_allowed
  sim/memory/ieee_rules.hpp)  # the expressions by which the real allocator itself decides bytes

function(check_file file)
  string(REGEX REPLACE "/.*" "" layer "${file}")
  read_source(text "${ROOT}/${file}")
  check_includes("${file}" "${text}" ${layer})
  if(NOT file MATCHES "^app/.*\\.hpp$")
    check_listed("${file}")
  endif()
  if(file MATCHES "\\.hpp$")
    forbid("${file}" "${text}" "${heavy}" "not in a header: it would reach everybody who includes it")
  endif()
  if(NOT layer STREQUAL "app")
    forbid("${file}" "${text}" "${process}" "a library neither prints nor ends the process")
  endif()
  if(layer MATCHES "^(sim|models|scenarios)$")
    forbid("${file}" "${text}" "${moment}" "results must not depend on it")
  endif()
  if(layer MATCHES "^(sim|models|scenarios)$" AND NOT file IN_LIST floating_allowed)
    forbid("${file}" "${text}" "${floating}" "time and bytes are decided in integers")
  endif()
  set(violations "${violations}" PARENT_SCOPE)
endfunction()

set(count 0)
foreach(layer IN LISTS layers)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${layer}/*.hpp" "${ROOT}/${layer}/*.cpp"
    "${ROOT}/${layer}/*.cu")
  list(SORT files)
  foreach(file IN LISTS files)
    check_file("${file}")
    math(EXPR count "${count} + 1")
  endforeach()
endforeach()

if(count EQUAL 0)
  message(FATAL_ERROR "no sources under ${ROOT}")
endif()
if(violations)
  list(JOIN violations "\n" text)
  message(NOTICE "${text}")
  list(LENGTH violations number)
  message(FATAL_ERROR "${number} violations in ${count} files")
endif()
message(STATUS "${count} files keep the layers")
