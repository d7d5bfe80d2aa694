# Builds for another architecture, out of a root folder with its Debian packages: scripts/architectures.
#
#     cmake --toolchain cmake/architecture.cmake -DTAUT_TRIPLE=aarch64-linux-gnu -DTAUT_ROOT=FOLDER ...
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TAUT_TRIPLE TAUT_ROOT)
string(REGEX REPLACE "-.*" "" TAUT_PROCESSOR ${TAUT_TRIPLE})
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${TAUT_PROCESSOR})
set(CMAKE_C_COMPILER ${TAUT_TRIPLE}-gcc)
set(CMAKE_SYSROOT ${TAUT_ROOT})

# Debian's i386 folders are named after i386, its compiler after i686. Doubles are doubles: SSE2, not
# the 80 bits of x87.
set(TAUT_MULTIARCH ${TAUT_TRIPLE})
if(TAUT_PROCESSOR STREQUAL "i686")
    set(TAUT_MULTIARCH i386-linux-gnu)
    set(CMAKE_C_FLAGS_INIT "-msse2 -mfpmath=sse")
endif()
set(CMAKE_LIBRARY_ARCHITECTURE ${TAUT_MULTIARCH})

set(CMAKE_FIND_ROOT_PATH ${TAUT_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${TAUT_ROOT})
set(ENV{PKG_CONFIG_LIBDIR}
    ${TAUT_ROOT}/usr/lib/${TAUT_MULTIARCH}/pkgconfig:${TAUT_ROOT}/usr/lib/pkgconfig:${TAUT_ROOT}/usr/share/pkgconfig)
