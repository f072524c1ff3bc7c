"""The recipe for Conan 2. It packages the tree it stands in: conan create packaging/conan --build=missing"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load


class NpuzzleRecipe(ConanFile):
    name = "npuzzle"
    description = "Heuristic search for any problem, and the sliding-tile puzzle on top of it"
    license = "BSL-1.0"
    topics = ("heuristic-search", "a-star", "sliding-puzzle", "header-only")
    package_type = "header-library"
    settings = "os", "compiler", "build_type", "arch"
    default_options = {"boost/*:header_only": True}
    no_copy_source = True

    def _project(self):
        return os.path.join(self.recipe_folder, os.pardir, os.pardir)

    def set_version(self):
        text = load(self, os.path.join(self._project(), "include", "npuzzle", "version.hpp"))
        parts = (
            re.search(rf"^#define NPUZZLE_VERSION_{part} +(\d+)$", text, re.MULTILINE).group(1)
            for part in ("MAJOR", "MINOR", "PATCH")
        )
        self.version = ".".join(parts)

    def export_sources(self):
        copy(self, "LICENSE", src=self._project(), dst=self.export_sources_folder)
        copy(self, "include/*.hpp", src=self._project(), dst=self.export_sources_folder)

    def requirements(self):
        self.requires("boost/[>=1.74 <2]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        copy(self, "include/*.hpp", src=self.source_folder, dst=self.package_folder)

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.requires = ["boost::headers"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]
        self.cpp_info.set_property("cmake_file_name", "npuzzle")
        self.cpp_info.set_property("cmake_target_name", "npuzzle::npuzzle")
        self.cpp_info.set_property("pkg_config_name", "npuzzle")
