"""conan_life.py <recipe's folder> <folder to work in> <version>: takes the recipe through export, source, validation,
package and package_info, by a stand-in for the few parts of Conan 2 that it uses."""

import fnmatch
import importlib.util
import os
import shutil
import sys
import types

recipe_folder, work, version = sys.argv[1:]


class ConanFile:
    pass


def load(_conanfile, path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def copy(_conanfile, pattern, src, dst):
    copied = []
    for folder, _, files in os.walk(src):
        for file in files:
            relative = os.path.relpath(os.path.join(folder, file), src)
            if fnmatch.fnmatch(relative, pattern):
                target = os.path.join(dst, relative)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(os.path.join(src, relative), target)
                copied.append(target)
    assert copied, f"nothing in {src} is {pattern}"


standards_asked = []


def module(name, **members):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)


module("conan", ConanFile=ConanFile)
module("conan.tools")
module("conan.tools.build", can_run=None, check_min_cppstd=lambda _recipe, standard: standards_asked.append(standard))
module("conan.tools.cmake", CMake=None, cmake_layout=None)
module("conan.tools.files", copy=copy, load=load)


def recipe_in(folder):
    spec = importlib.util.spec_from_file_location("recipe", os.path.join(folder, "conanfile.py"))
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    (recipe,) = (
        value
        for value in vars(loaded).values()
        if isinstance(value, type) and issubclass(value, ConanFile) and value is not ConanFile
    )
    return recipe()


recipe_in(os.path.join(recipe_folder, "test_package"))
recipe = recipe_in(recipe_folder)
assert recipe.name == "npuzzle"

recipe.recipe_folder = recipe_folder
recipe.set_version()
assert recipe.version == version, recipe.version

recipe.export_sources_folder = recipe.source_folder = os.path.join(work, "source")
recipe.export_sources()

required = {}
recipe.requires = lambda reference, **traits: required.update({reference: traits})
recipe.requirements()
assert required == {"boost/[>=1.74 <2]": {"transitive_headers": True}}, required
recipe.validate()
assert standards_asked == [20], standards_asked

recipe.recipe_folder = os.path.join(work, "elsewhere")  # from here on the recipe is in Conan's cache
recipe.package_folder = os.path.join(work, "package")
recipe.package()

cleared = []
recipe.info = types.SimpleNamespace(clear=lambda: cleared.append(True))
recipe.package_id()
assert cleared

properties = {}
recipe.settings = types.SimpleNamespace(os="Linux")
recipe.cpp_info = types.SimpleNamespace(set_property=properties.__setitem__)
recipe.package_info()
assert properties["cmake_target_name"] == "npuzzle::npuzzle"
assert recipe.cpp_info.libdirs == recipe.cpp_info.bindirs == []
assert recipe.cpp_info.system_libs == ["pthread"]
