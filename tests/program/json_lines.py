"""json_lines.py SCHEMA: each line of standard input is the name of a definition of the schema, a tab, and a text of JSON that
must be as the definition says. Prints what is not, and names the definitions of answers that no line was for."""

import json
import sys

from jsonschema import Draft202012Validator

with open(sys.argv[1]) as file:
    schema = json.load(file)
Draft202012Validator.check_schema(schema)
validators = {name: Draft202012Validator({**schema, "$ref": "#/$defs/" + name}) for name in schema["$defs"]}
unused = {name for name, definition in schema["$defs"].items() if definition.get("type") == "object"}
for line in sys.stdin:
    name, text = line.rstrip("\n").split("\t", 1)
    unused.discard(name)
    for error in validators[name].iter_errors(json.loads(text)):
        print(f"{name}: {error.json_path}: {error.message}: {text[:200]}")
if unused:
    print("no line was for " + ", ".join(sorted(unused)))
