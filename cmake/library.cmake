# gg_library(name [FOLDERS folder...] [dependencies...]): the .cpp files of this folder, and of the named folders in it, as one static
# library; programs (*main.cpp) are not part of it. tests/lint/layers.py reads these calls: an #include that the dependencies do not
# cover fails there.
function(gg_library name)
  cmake_parse_arguments(own "" "" "FOLDERS" ${ARGN})
  set(patterns *.cpp)
  foreach(folder ${own_FOLDERS})
    list(APPEND patterns ${folder}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  list(FILTER sources EXCLUDE REGEX "main\\.cpp$")
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC gg_options ${own_UNPARSED_ARGUMENTS})
  if(GG_PRECOMPILED AND name STREQUAL "gg_base")
    target_precompile_headers(gg_base PRIVATE ${GG_PRECOMPILED})
  elseif(GG_PRECOMPILED)
    target_precompile_headers(${name} REUSE_FROM gg_base)
  endif()
endfunction()
