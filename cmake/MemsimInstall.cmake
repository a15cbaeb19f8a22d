# `cmake --install`: the command, the libraries for find_package(memsim), the catalogue and the
# measured points that `memsim validate` compares with.
include(CMakePackageConfigHelpers)
set(MEMSIM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/memsim)
set(MEMSIM_DATA_DIR ${CMAKE_INSTALL_DATADIR}/memsim)

install(TARGETS memsim RUNTIME)
install(TARGETS memsim_sim memsim_models memsim_scenarios memsim_validate
  EXPORT memsim
  ARCHIVE
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/memsim)
install(EXPORT memsim NAMESPACE memsim:: FILE memsimTargets.cmake DESTINATION ${MEMSIM_CMAKE_DIR})

# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(memsimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/memsimConfig.cmake.in memsimConfig.cmake
  INSTALL_DESTINATION ${MEMSIM_CMAKE_DIR}
  PATH_VARS MEMSIM_DATA_DIR)
install(FILES
  ${PROJECT_BINARY_DIR}/memsimConfig.cmake ${PROJECT_BINARY_DIR}/memsimConfigVersion.cmake
  DESTINATION ${MEMSIM_CMAKE_DIR})

install(DIRECTORY scenarios/hardware scenarios/models DESTINATION ${MEMSIM_DATA_DIR}/scenarios
  FILES_MATCHING PATTERN "*.toml" PATTERN "*.table")
install(DIRECTORY validate/data DESTINATION ${MEMSIM_DATA_DIR}/validate)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
