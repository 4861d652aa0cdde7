# The shared libraries that PROGRAM needs beside the C library's, copied into FOLDER: a program there looks for them beside itself ($ORIGIN).
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${PROGRAM} RESOLVED_DEPENDENCIES_VAR libraries CONFLICTING_DEPENDENCIES_PREFIX copied
     PRE_EXCLUDE_REGEXES "^(ld-linux|lib(c|m|dl|rt|pthread))[-.]")
file(COPY ${libraries} DESTINATION ${FOLDER} FOLLOW_SYMLINK_CHAIN)
