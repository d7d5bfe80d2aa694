# The pages that src/out/template.c embeds: built from web/ by scripts/page, or given.
set(TAUT_PAGE "" CACHE FILEPATH "A page for taut view that is built already, with study.html beside it; empty: build web/")

if(TAUT_PAGE)
    set(TAUT_TEMPLATE ${TAUT_PAGE})
    cmake_path(REPLACE_FILENAME TAUT_PAGE study.html OUTPUT_VARIABLE TAUT_STUDY_TEMPLATE)
else()
    # not a list of sources: whatever is there may change the page
    file(GLOB_RECURSE TAUT_WEB_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
    set(TAUT_TEMPLATE ${PROJECT_BINARY_DIR}/view.html)
    set(TAUT_STUDY_TEMPLATE ${PROJECT_BINARY_DIR}/study.html)
    add_custom_command(OUTPUT ${TAUT_TEMPLATE} ${TAUT_STUDY_TEMPLATE}
        COMMAND ${PROJECT_SOURCE_DIR}/scripts/page ${TAUT_TEMPLATE}
        DEPENDS ${TAUT_WEB_FILES} scripts/page web/build.mjs web/package.json web/package-lock.json
        COMMENT "Building the page of taut view"
        VERBATIM)
endif()
# The engine of live pages: scripts/wasm writes it; until then it is empty, and taut view --live says how to get it.
set(TAUT_ENGINE_FILE ${PROJECT_BINARY_DIR}/engine.wasm.gz)
if(NOT EXISTS ${TAUT_ENGINE_FILE})
    file(WRITE ${TAUT_ENGINE_FILE} "")
endif()
set_source_files_properties(src/out/template.c PROPERTIES
    COMPILE_DEFINITIONS "TAUT_TEMPLATE=\"${TAUT_TEMPLATE}\";TAUT_STUDY_TEMPLATE=\"${TAUT_STUDY_TEMPLATE}\";TAUT_ENGINE_FILE=\"${TAUT_ENGINE_FILE}\""
    OBJECT_DEPENDS "${TAUT_TEMPLATE};${TAUT_STUDY_TEMPLATE};${TAUT_ENGINE_FILE}")

# What taut --version --licences prints, embedded in the program in the same way by src/cli/licences.c.
set(TAUT_LICENCE ${PROJECT_SOURCE_DIR}/LICENSE)
set(TAUT_NOTICE ${PROJECT_SOURCE_DIR}/NOTICE)
set_source_files_properties(src/model/shelf.c PROPERTIES
    COMPILE_DEFINITIONS "TAUT_PARTS_DIR=\"${CMAKE_INSTALL_FULL_DATADIR}/taut/examples/parts\"")
set_source_files_properties(src/cli/licences.c PROPERTIES
    COMPILE_DEFINITIONS "TAUT_LICENCE=\"${TAUT_LICENCE}\";TAUT_NOTICE=\"${TAUT_NOTICE}\""
    OBJECT_DEPENDS "${TAUT_LICENCE};${TAUT_NOTICE}")

# The style of the page of taut compare, embedded in the same way by src/out/compare_style.c.
set(TAUT_COMPARE_CSS ${PROJECT_SOURCE_DIR}/src/out/compare.css)
set_source_files_properties(src/out/compare_style.c PROPERTIES
    COMPILE_DEFINITIONS TAUT_COMPARE_CSS="${TAUT_COMPARE_CSS}"
    OBJECT_DEPENDS ${TAUT_COMPARE_CSS})

# Files of taut new, and texts of taut help, likewise.
set(TAUT_NEW_FOLDER ${PROJECT_SOURCE_DIR}/src/cli/new)
set_source_files_properties(src/cli/starting.c PROPERTIES
    COMPILE_DEFINITIONS TAUT_NEW_FOLDER="${TAUT_NEW_FOLDER}"
    OBJECT_DEPENDS "${TAUT_NEW_FOLDER}/linkage.yaml;${TAUT_NEW_FOLDER}/space.yaml;${TAUT_NEW_FOLDER}/lagrangian.yaml;${TAUT_NEW_FOLDER}/dae.yaml")
set(TAUT_TOPICS ${PROJECT_SOURCE_DIR}/src/cli/topics.txt)
set_source_files_properties(src/cli/topics.c PROPERTIES
    COMPILE_DEFINITIONS TAUT_TOPICS="${TAUT_TOPICS}"
    OBJECT_DEPENDS ${TAUT_TOPICS})

# Texts of generated C, likewise.
set(TAUT_EXPORT_TEXT_NAMES stages interface reactions main fmu fmu2 fmu3)
set(TAUT_EXPORT_TEXTS ${PROJECT_SOURCE_DIR}/src/export/texts)
list(TRANSFORM TAUT_EXPORT_TEXT_NAMES REPLACE "(.+)" "${TAUT_EXPORT_TEXTS}/\\1.txt" OUTPUT_VARIABLE TAUT_EXPORT_TEXT_FILES)
set_source_files_properties(src/export/texts.c PROPERTIES
    COMPILE_DEFINITIONS TAUT_EXPORT_TEXTS="${TAUT_EXPORT_TEXTS}"
    OBJECT_DEPENDS "${TAUT_EXPORT_TEXT_FILES}")
