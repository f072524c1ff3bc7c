"""The reference as pages of Markdown: one for each public header, from what Doxygen has read out of it."""

import html
import re
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path

PREFIX = "include/npuzzle/"
INLINE = {"bold": "strong", "emphasis": "em", "computeroutput": "code", "subscript": "sub", "superscript": "sup"}
BLOCKS = {"itemizedlist": "ul", "orderedlist": "ol", "listitem": "li", "table": "table", "row": "tr"}
SECTIONS = {
    "param": "Parameters",
    "templateparam": "Template parameters",
    "exception": "Throws",
    "return": "Returns",
    "note": "Note",
    "see": "See also",
}
HEADINGS = [
    ("concept", "Concepts"),
    ("class", "Classes"),
    ("function", "Functions"),
    ("enum", "Enumerations"),
    ("typedef", "Types"),
    ("variable", "Constants"),
    ("define", "Macros"),
]


def text_of(element):
    return "" if element is None else re.sub(r"\s+", " ", "".join(element.itertext())).strip()


class Entry:
    """A name of the library: where it stands, how it is declared, what is said of it."""

    def __init__(self, element, kind, name):
        self.element = element
        self.kind = kind
        self.name = name
        location = element.find("location")
        self.header = location.get("file").split(PREFIX)[-1]
        self.line = int(location.get("line"))
        self.members = []
        self.page = ""
        self.anchor = ""


class Reference:
    def __init__(self, folder):
        self.targets = {}  # Doxygen's identifiers -> (page, anchor)
        self.links = {}  # names, as one writes them after npuzzle:: -> (page, anchor)
        self.headers = defaultdict(list)
        self.files = {}
        compounds = []
        for path in sorted(Path(folder).glob("*.xml")):
            if path.name not in ("index.xml", "Doxyfile.xml"):
                compounds += ElementTree.parse(path).getroot().findall("compounddef")
        for compound in compounds:
            self._read(compound)
        for header in sorted(self.headers):
            self._place(header)

    def _read(self, compound):
        kind = compound.get("kind")
        name = text_of(compound.find("compoundname"))
        if kind == "file":
            location = compound.find("location").get("file")
            if PREFIX in location:
                header = location.split(PREFIX)[-1]
                self.files[header] = compound
                self._members(compound, None, {"define"})
        elif kind == "namespace" and name.startswith("npuzzle"):
            self._members(compound, None, {"function", "typedef", "variable", "enum"})
        elif kind == "concept" or kind in ("class", "struct", "union"):
            if "npuzzle::" not in name or compound.get("prot", "public") != "public" or "<" in name:
                return
            entry = Entry(compound, "concept" if kind == "concept" else "class", name.split("npuzzle::", 1)[1])
            self.headers[entry.header].append(entry)
            self._members(compound, entry, {"function", "typedef", "variable", "enum", "friend"})

    def _members(self, compound, owner, kinds):
        for member in compound.iter("memberdef"):
            name = text_of(member.find("name"))
            is_hidden = member.get("prot") not in ("public", None) or re.match(r"[~@]|(?!operator)\w+ ?<", name)
            if member.get("kind") not in kinds or is_hidden or PREFIX not in member.find("location").get("file"):
                continue
            if member.get("kind") == "friend" and text_of(member.find("type")).endswith(("class", "struct")):
                continue
            if member.get("kind") == "define" and not describe(member, None, ""):
                continue
            if member.get("kind") == "function" and "->" in text_of(member.find("argsstring")) and not text_of(member.find("type")):
                continue # a deduction guide
            entry = Entry(member, "function" if member.get("kind") == "friend" else member.get("kind"), name)
            if owner is None:
                self.headers[entry.header].append(entry)
            else:
                owner.members.append(entry)

    def _place(self, header):
        """Gives every name of a header its anchor. Overloads share one."""
        page = f"reference/{header}.md"
        stem = Path(header).stem
        entries = self.headers[header]
        entries.sort(key=lambda entry: entry.line)
        taken = {}

        def place(entry, name):
            anchor = re.sub(r"[^A-Za-z0-9_]+", lambda found: {"::": "-"}.get(found[0], f".{found[0].encode().hex()}"), name)
            entry.page, entry.anchor = page, anchor
            self.targets[entry.element.get("id")] = (page, anchor)
            if name not in taken and (name not in self.links or name == stem):
                self.links[name] = (page, anchor)
            taken[name] = True

        for entry in entries:
            place(entry, entry.name)
            for member in entry.members:
                place(member, f"{entry.name}::{member.name}")
                for value in member.element.findall("enumvalue"):
                    self.targets[value.get("id")] = (page, member.anchor)
            for value in entry.element.findall("enumvalue"):
                self.targets[value.get("id")] = (page, entry.anchor)
                self.links.setdefault(f"{entry.name}::{text_of(value.find('name'))}", (page, entry.anchor))

    def write(self, pages, guides):
        """Writes the pages below `pages`. `guides` has the guides of a header as links from its page."""
        for header, entries in sorted(self.headers.items()):
            path = Path(pages) / f"reference/{header}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self._page(header, entries, guides.get(header)))

    def _page(self, header, entries, guides):
        page = f"reference/{header}.md"
        title = re.sub(r"([/_])", "\\1\u200b", header) # places to break the line
        out = [f"# {title}", f"```cpp\n#include <npuzzle/{header}>\n```"]
        if header in self.files:
            out.append(describe(self.files[header], self, page))
        if guides:
            out.append(f"Guide: {guides}")
        for kind, title in HEADINGS:
            of_kind = [entry for entry in entries if entry.kind == kind]
            if of_kind:
                out.append(f"## {title} {{: #section-{kind} }}")
            for group in overloads(of_kind):
                out += self._entry(group, page, 3)
        return "\n\n".join(part for part in out if part) + "\n"

    def _entry(self, group, page, level):
        first = group[0]
        out = [f"{'#' * level} {heading(first.name)} {{: #{first.anchor} .name }}"]
        for entry in group:
            out.append(f"```cpp\n{declaration(entry)}\n```")
            out.append(describe(entry.element, self, page))
            values = entry.element.findall("enumvalue")
            if values:
                rows = "".join(
                    f"<tr><td><code>{html.escape(text_of(value.find('name')))}</code></td>"
                    f"<td>{describe(value, self, page)}</td></tr>"
                    for value in values
                )
                out.append(f'<table class="members">{rows}</table>')
            for members in overloads(entry.members):
                out += self._entry(members, page, level + 1)
        return out

    def href(self, identifier, page):
        target = self.targets.get(identifier)
        return target and relative(target, page)


def relative(target, page):
    """From a page to (page, anchor), as a link between the pages' files of HTML."""
    path, anchor = target
    here = page.split("/")[:-1]
    there = path.split("/")
    while here and there[0] == here[0]:
        here.pop(0)
        there.pop(0)
    return "../" * len(here) + re.sub(r"\.md$", ".html", "/".join(there)) + (f"#{anchor}" if anchor else "")


def heading(name):
    """As a heading in Markdown, in which an operator is no markup."""
    return re.sub(r"[^\w ]", lambda found: f"&#{ord(found[0])};", name)


def overloads(entries):
    groups = {}
    for entry in entries:
        groups.setdefault((entry.kind, entry.anchor), []).append(entry)
    return list(groups.values())


def template_of(element):
    out = ""
    for parameters in element.findall("templateparamlist")[-1:]:
        names = []
        for parameter in parameters.findall("param"):
            words = [text_of(parameter.find("type")), text_of(parameter.find("declname"))]
            default = text_of(parameter.find("defval"))
            names.append(tidy(" ".join(word for word in words if word) + (f" = {default}" if default else "")))
        line = f"template <{', '.join(names)}>\n"
        out += line if len(line) <= 96 else "template <\n    " + ",\n    ".join(names) + ">\n"
    requires = text_of(element.find("requiresclause"))
    return out + (f"    requires {requires}\n" if requires else "")


def tidy(text):
    """Doxygen's spacing of types, as the project has it."""
    text = re.sub(r" ([&*]+)", r"\1 ", text)
    return re.sub(r"\s+", " ", re.sub(r" ([,)>])", r"\1", text.replace("< ", "<"))).strip()


def declaration(entry):
    element = entry.element
    if entry.kind == "concept":
        text = "".join(element.find("initializer").itertext()).strip()
        return text if text.endswith(";") else text + ";"
    template = template_of(element)
    if entry.kind == "class":
        bases = [re.sub(r"<.*|npuzzle::", "", text_of(base)).strip() for base in element.findall("basecompoundref")]
        # What is in a namespace within the library is no part of its interface.
        bases = ", ".join(base for base in bases if "::" not in base.removeprefix("std::"))
        return f"{template}{element.get('kind')} {entry.name}{f' : {bases}' if bases else ''};"
    if entry.kind == "enum":
        return f"enum class {entry.name};" if element.get("strong") == "yes" else f"enum {entry.name};"
    if entry.kind == "define":
        names = [text_of(parameter.find("defname")) for parameter in element.findall("param")]
        return f"#define {entry.name}{'(' + ', '.join(names) + ')' if names else ''}"
    kind = tidy(text_of(element.find("type")))
    if entry.kind == "typedef":
        return f"{template}using {entry.name} = {kind};"
    if entry.kind == "variable":
        value = text_of(element.find("initializer"))
        value = f" {value}" if value and len(value) < 60 else ""
        return f"{template}{kind} {entry.name}{value};"
    words = [word for word in ("static", "explicit") if element.get(word) == "yes" and word not in kind]
    lead = " ".join(words + ([kind] if kind else []) + [entry.name])
    parameters = []
    for parameter in element.findall("param"):
        default = text_of(parameter.find("defval"))
        kind_of_parameter = tidy(text_of(parameter.find("type")))
        name = text_of(parameter.find("declname"))
        parameters.append(f"{kind_of_parameter} {name}".strip() + (f" = {default}" if default else ""))
    tail = re.sub(r"^\(.*\)", "", text_of(element.find("argsstring")), flags=re.DOTALL)
    line = f"{lead}({', '.join(parameters)}){tail};"
    if len(line) > 96 and parameters:
        line = f"{lead}(\n    " + ",\n    ".join(parameters) + f"){tail};"
    return template + line


def describe(element, reference, page):
    """What is said of a name, as a block of HTML."""
    parts = []
    for which in ("briefdescription", "detaileddescription"):
        description = element.find(which)
        if description is not None:
            parts += [convert(child, reference, page) for child in description]
    body = "".join(parts).strip()
    return f'<div class="description">{body}</div>' if body else ""


def contents(element, reference, page):
    out = html.escape(element.text or "")
    for child in element:
        out += convert(child, reference, page) + html.escape(child.tail or "")
    return out


def convert(element, reference, page):
    tag = element.tag

    def inner():
        return contents(element, reference, page)

    if tag in INLINE:
        return f"<{INLINE[tag]}>{inner()}</{INLINE[tag]}>"
    if tag in BLOCKS:
        return f"<{BLOCKS[tag]}>{inner()}</{BLOCKS[tag]}>"
    if tag == "entry":
        cell = "th" if element.get("thead") == "yes" else "td"
        return f"<{cell}>{inner()}</{cell}>"
    if tag == "ref":
        href = reference.href(element.get("refid"), page) if reference else None
        return f'<a href="{href}">{inner()}</a>' if href else inner()
    if tag == "ulink":
        return f'<a href="{html.escape(element.get("url"))}">{inner()}</a>'
    if tag == "para":
        # Lists and sections are blocks of their own, so that no <p> holds one.
        out, line = "", html.escape(element.text or "")
        for child in element:
            piece = convert(child, reference, page)
            if child.tag in BLOCKS or child.tag in ("parameterlist", "simplesect", "programlisting", "verbatim"):
                out += (f"<p>{line.strip()}</p>" if line.strip() else "") + piece
                line = ""
            else:
                line += piece
            line += html.escape(child.tail or "")
        return out + (f"<p>{line.strip()}</p>" if line.strip() else "")
    if tag == "parameterlist":
        rows = ""
        for item in element.findall("parameteritem"):
            names = ", ".join(
                f"<code>{html.escape(text_of(name))}</code>" for name in item.findall("parameternamelist/parametername")
            )
            rows += f"<dt>{names}</dt><dd>{contents(item.find('parameterdescription'), reference, page)}</dd>"
        return f'<p class="section">{SECTIONS.get(element.get("kind"), "")}</p><dl>{rows}</dl>'
    if tag == "simplesect":
        title = SECTIONS.get(element.get("kind")) or text_of(element.find("title"))
        return f'<p class="section">{title}</p>{inner()}'
    if tag == "title":
        return ""
    if tag == "programlisting":
        lines = ("".join(spaced(line)) for line in element.findall("codeline"))
        return "<pre><code>" + html.escape("\n".join(lines)) + "</code></pre>"
    if tag == "verbatim":
        return f"<pre><code>{html.escape(element.text or '')}</code></pre>"
    if tag == "linebreak":
        return "<br/>"
    return {"sp": " ", "ndash": "–", "mdash": "—", "nonbreakablespace": " "}.get(tag) or inner()


def spaced(element):
    """The text of a line of code, in which <sp/> is a space."""
    yield element.text or ""
    for child in element:
        if child.tag == "sp":
            yield " "
        else:
            yield from spaced(child)
        yield child.tail or ""
