# taut_soname(<variable> <path>): the name by which the run-time linker knows a shared library.
function(taut_soname variable path)
    execute_process(COMMAND ${CMAKE_READELF} -d ${path} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
    if(NOT dynamic MATCHES "SONAME[^[]*\\[([^]]+)\\]")
        message(FATAL_ERROR "${path} is not a shared library with a soname")
    endif()
    set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()
