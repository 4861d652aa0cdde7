# gg_compiled_fast(target owner [headers...]): several sources as one (GG_UNITY), in batches of about the same size, and precompiled standard
# headers (GG_PRECOMPILE): those of `owner`, which compiles them with what else is named.
function(gg_compiled_fast target owner)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  set(batch 0)  # all, and what is added later
  if(GG_UNITY_BATCH GREATER 0 AND count GREATER GG_UNITY_BATCH)
    math(EXPR batches "(${count} + ${GG_UNITY_BATCH} - 1) / ${GG_UNITY_BATCH}")
    math(EXPR batch "(${count} + ${batches} - 1) / ${batches}")
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GG_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
  if(GG_PRECOMPILED AND target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${GG_PRECOMPILED} ${ARGN})
  elseif(GG_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
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
  set(owner gg_base)
  if(GG_SANITIZE AND name IN_LIST GG_SANITIZED_HOT)
    target_compile_options(${name} PRIVATE -O1)
    list(GET GG_SANITIZED_HOT 0 owner)
  elseif(own_COLD AND NOT GG_SANITIZE)
    target_compile_options(${name} PRIVATE "$<$<CONFIG:Release>:-Og;$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>>")
  endif()
  gg_compiled_fast(${name} ${owner})
endfunction()
