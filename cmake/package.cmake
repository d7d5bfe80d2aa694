# The Debian package of `make deb`: what is linked is required (dpkg-shlibdeps finds it), what is loaded on demand is
# recommended.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME taut)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "the authors of taut <taut@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
    "Mechanisms, Lagrangians and differential-algebraic equations in short YAML files become motion, accurate to nearly the last digit, and an animation in the browser.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEB_COMPONENT_INSTALL OFF)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "coinor-libipopt1v5, liblapacke, libopenblas0, libmatio11, libhdf5-103-1, libnlopt0, libcminpack1, chromium | firefox-esr")
include(CPack)
