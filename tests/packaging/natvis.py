"""For gdb: `natvis FILE EXPRESSION` shows a value as the first string says that FILE has for its type, and then the items.

Enough of natvis for what packaging/npuzzle.natvis makes use of, so that its expressions are evaluated by a debugger.
"""

import fnmatch
import re
import xml.etree.ElementTree

import gdb

NAMESPACE = "{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}"


def members(kind):
    """The names of a class's members, and of its bases'."""
    for field in kind.fields():
        if field.is_base_class:
            yield from members(field.type)
        elif field.name:
            yield field.name


def evaluate(expression, value):
    """The expression, in which members of the value stand by their names alone."""
    this = "(*({} *){})".format(value.type.unqualified(), int(value.address))
    names = "|".join(map(re.escape, members(value.type)))
    return gdb.parse_and_eval(re.sub(r"(?<![.\w>])({})\b".format(names), this + r".\1", expression))


def expressions(element):
    if element.tag == NAMESPACE + "DisplayString":
        return re.findall(r"{(.*?)}", element.text)
    return [child.text for child in element] or [element.text]


def is_there(element, value):
    """An element that is optional counts only where what it names is there."""
    try:
        for expression in expressions(element):
            evaluate(expression, value)
        return True
    except gdb.error:
        if element.get("Optional") == "true":
            return False
        raise


class Natvis(gdb.Command):
    def __init__(self):
        super().__init__("natvis", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        file, expression = argument.split(" ", 1)
        value = gdb.parse_and_eval(expression)
        name = str(value.type.unqualified().strip_typedefs())
        for described in xml.etree.ElementTree.parse(file).getroot().iter(NAMESPACE + "Type"):
            if fnmatch.fnmatchcase(name, described.get("Name")):
                print("{} as {}".format(expression, self.text(described, value)))
                return
        raise gdb.GdbError("natvis has nothing for " + name)

    def text(self, described, value):
        for shown in described.iter(NAMESPACE + "DisplayString"):
            condition = shown.get("Condition")
            if (condition is None or evaluate(condition, value)) and is_there(shown, value):
                text = re.sub(r"{(.*?)}", lambda part: str(evaluate(part.group(1), value)), shown.text)
                break
        for item in described.iter(NAMESPACE + "Item"):
            if is_there(item, value):
                text += ", " + item.get("Name")
        for items in described.iter(NAMESPACE + "ArrayItems"):
            if is_there(items, value):
                size = int(evaluate(items.find(NAMESPACE + "Size").text, value))
                first = evaluate(items.find(NAMESPACE + "ValuePointer").text, value)
                text += ", items " + " ".join(str(first[i]) for i in range(size))
        return text


Natvis()
