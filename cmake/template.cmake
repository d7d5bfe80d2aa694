# The page that src/out/template.c embeds.
set(TAUT_TEMPLATE ${PROJECT_SOURCE_DIR}/cmake/template.html)
set_source_files_properties(src/out/template.c PROPERTIES
    COMPILE_DEFINITIONS TAUT_TEMPLATE="${TAUT_TEMPLATE}"
    OBJECT_DEPENDS ${TAUT_TEMPLATE})
