# cmake -DIN=file -DOUT=file.cpp -DHEADER=include -DNAME=symbol -P embed.cmake: a text file as a C++ string.
file(READ ${IN} text)
# Pieces below the compilers' limit on one literal.
string(LENGTH "${text}" length)
set(code "// Generated from ${IN} by scripts/embed.cmake.\n#include \"${HEADER}\"\n\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\nnamespace gg {\nconst std::string_view ${NAME} =\n")
set(start 0)
while(start LESS length)
  string(SUBSTRING "${text}" ${start} 8000 piece)
  string(APPEND code "    R\"EMBED(${piece})EMBED\"\n")
  math(EXPR start "${start} + 8000")
endwhile()
string(APPEND code "    ;\n}  // namespace gg\n")
file(WRITE ${OUT}.new "${code}")
configure_file(${OUT}.new ${OUT} COPYONLY)  # where it is another text
