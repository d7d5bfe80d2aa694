# Finds KLU of SuiteSparse (which before version 6 has no CMake package) and gives the target KLU::KLU.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
find_library(KLU_LIBRARY klu)
mark_as_advanced(KLU_INCLUDE_DIR KLU_LIBRARY)

# What KLU itself calls, in link order.
set(KLU_PARTS btf amd colamd suitesparseconfig)
set(KLU_PART_LIBRARIES)
set(KLU_PART_VARIABLES)
foreach(part IN LISTS KLU_PARTS)
    string(TOUPPER ${part} upper)
    find_library(KLU_${upper}_LIBRARY ${part})
    mark_as_advanced(KLU_${upper}_LIBRARY)
    list(APPEND KLU_PART_LIBRARIES ${KLU_${upper}_LIBRARY})
    list(APPEND KLU_PART_VARIABLES KLU_${upper}_LIBRARY)
endforeach()

if(KLU_INCLUDE_DIR)
    file(STRINGS ${KLU_INCLUDE_DIR}/klu.h KLU_VERSION_LINES REGEX "define KLU_(MAIN|SUB|SUBSUB)_VERSION")
    string(REGEX REPLACE "[^0-9;]" "" KLU_VERSION "${KLU_VERSION_LINES}")
    string(REPLACE ";" "." KLU_VERSION "${KLU_VERSION}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU
    REQUIRED_VARS KLU_LIBRARY KLU_INCLUDE_DIR ${KLU_PART_VARIABLES}
    VERSION_VAR KLU_VERSION)

if(KLU_FOUND AND NOT TARGET KLU::KLU)
    add_library(KLU::KLU UNKNOWN IMPORTED)
    set_target_properties(KLU::KLU PROPERTIES
        IMPORTED_LOCATION "${KLU_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${KLU_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${KLU_PART_LIBRARIES}")
endif()
