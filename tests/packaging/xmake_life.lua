-- lua xmake_life.lua RECIPE'S_FOLDER FOLDER_TO_WORK_IN COMPILER BOOST_INCLUDES: takes the recipe through description, install
-- and test, by stand-ins for the few functions of xmake that it uses.

local recipe, work, compiler, boost = table.unpack(arg)
local said, installs, tests = {}, nil, nil

local function run(command)
    assert(os.execute(command), command)
end
local function quoted(text)
    return "'" .. text:gsub("'", "'\\''") .. "'"
end

path = {join = function (...) return table.concat({...}, "/") end}
os.scriptdir = function () return recipe end
os.cp = function (from, to)
    run("mkdir -p " .. quoted(to) .. " && cp -r " .. quoted(said.set_sourcedir .. "/" .. from) .. " " .. quoted(to))
end
is_plat = function () return true end
for _, name in ipairs({"package", "set_kind", "set_description", "set_license", "set_sourcedir", "add_deps", "add_syslinks"}) do
    _G[name] = function (value) said[name] = value end
end
on_install = function (body) installs = body end
on_test = function (body) tests = body end

dofile(recipe .. "/xmake.lua")
assert(said.package == "npuzzle" and said.set_kind == "library" and said.set_license == "BSL-1.0")
assert(said.add_deps == "boost >=1.74")

local standin = {}
function standin:installdir(folder) return work .. "/package/" .. folder end
function standin:check_cxxsnippets(snippets, options)
    local file = assert(io.open(work .. "/snippet.cpp", "w"))
    file:write(snippets.test)
    file:close()
    run(table.concat({
        quoted(compiler), "-std=" .. options.configs.languages, "-fsyntax-only", "-I", quoted(work .. "/package/include"),
        "-I", quoted(boost), quoted(work .. "/snippet.cpp")}, " "))
    return true
end
installs(standin)
tests(standin)
