# gg_compiled_fast(target level [<header>... library...]): optimised with `level` in Release ("": as the build is), several sources as one (GG_UNITY), in batches
# of about the same size, and with the standard headers and those named, of these libraries, precompiled (GG_PRECOMPILE). g++ optimises with the level that precompiled
# headers were made with, whatever the command says, so each level has its own.
function(gg_compiled_fast target level)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
  if(level STREQUAL "-Og")  # g++ guesses there from less
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  set(batch 0)  # all, and what is added later
  if(GG_UNITY_BATCH GREATER 0 AND count GREATER GG_UNITY_BATCH)
    math(EXPR batches "(${count} + ${GG_UNITY_BATCH} - 1) / ${GG_UNITY_BATCH}")
    math(EXPR batch "(${count} + ${batches} - 1) / ${batches}")
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GG_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
  if(NOT GG_PRECOMPILED)
    return()
  endif()
  string(MAKE_C_IDENTIFIER "gg_headers${level}${ARGN}" owner)
  if(NOT TARGET ${owner})
    file(TOUCH ${CMAKE_BINARY_DIR}/headers.cpp)
    add_library(${owner} OBJECT ${CMAKE_BINARY_DIR}/headers.cpp)
    set(headers ${ARGN})
    set(libraries ${ARGN})
    list(FILTER headers INCLUDE REGEX "^<")
    list(FILTER libraries EXCLUDE REGEX "^<")
    target_link_libraries(${owner} PRIVATE gg_options ${libraries})
    target_compile_options(${owner} PRIVATE $<$<CONFIG:Release>:${level}>)
    target_precompile_headers(${owner} PRIVATE ${GG_PRECOMPILED} ${headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# gg_allocator(program): the allocator of the programs where it is found, for tests too: a proof takes a quarter less time with it (docs/performance.md).
function(gg_allocator program)
  if(GG_TCMALLOC AND NOT GG_SANITIZE)
    target_link_libraries(${program} PRIVATE ${GG_TCMALLOC})
  endif()
endfunction()

# gg_library(name [COLD] [FOLDERS folder...] [dependencies...]): the .cpp files of this folder, and of the named folders in it, as one static
# library; programs (*main.cpp) are not part of it. tests/lint/layers.py reads these calls: an #include that the dependencies do not
# cover fails there. COLD: what is read, told or written once a case; -Og halves its compile time and costs runs nothing
# (docs/performance.md).
function(gg_library name)
  cmake_parse_arguments(own "COLD" "" "FOLDERS" ${ARGN})
  set(patterns *.cpp)
  foreach(folder ${own_FOLDERS})
    list(APPEND patterns ${folder}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  list(FILTER sources EXCLUDE REGEX "main\\.cpp$")
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC gg_options ${own_UNPARSED_ARGUMENTS})
  set(level)
  if(GG_SANITIZE AND name IN_LIST GG_SANITIZED_HOT)
    set(level -O1)
  elseif(own_COLD AND NOT GG_SANITIZE)
    set(level -Og)
  endif()
  gg_compiled_fast(${name} "${level}")
endfunction()
