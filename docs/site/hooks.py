"""What MkDocs calls while it makes the site of the guides and the reference.

The guides are copied as they stand in the project; docs/README.md is the navigation. Names of the library in the guides lead to
the reference. The search works from files, too. A line `<!-- search: WORDS -->` in a guide has words that it is to be found by
and does not say.
"""

import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from reference import Reference, relative  # noqa: E402

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build/docs"
PAGES = BUILD / "pages"
PLAYGROUND = ROOT / "build/playground/index.html" # one file, which is beside the guides if it has been built

CODE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")
# The star of A*, which Python's Markdown takes for the beginning of emphasis, but not in headings, which have one at most.
TEXT = re.compile(r"^(?!#).*", re.MULTILINE)
STAR = re.compile(r"(?<=[A-Z])\*(?!\*)")

reference = None
keywords = {}  # of guides
about_the_project = []


def on_config(config):
    global reference
    shutil.rmtree(PAGES, ignore_errors=True)
    reference = Reference(BUILD / "xml")
    for path in guides():
        copy(path)
    shutil.copytree(ROOT / "docs/images", PAGES / "docs/images")
    shutil.copytree(ROOT / "docs/site/assets", PAGES / "assets")
    if PLAYGROUND.exists():
        (PAGES / "playground").mkdir()
        shutil.copy(PLAYGROUND, PAGES / "playground")
    reference.write(PAGES, guides_of_headers())
    config["nav"] = navigation()
    return config


def guides():
    paths = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")]
    for folder in ("docs", "benchmarks"):
        paths += sorted((ROOT / folder).rglob("*.md"))
    return [path.relative_to(ROOT).as_posix() for path in paths]


def copy(path):
    text = (ROOT / path).read_text()
    found = re.search(r"<!-- search: (.*?) -->", text)
    keywords[path] = found[1].split() if found else []
    if path == "docs/headers.md":
        text = with_links_to_headers(text)
    parts = CODE.split(text)
    for i in range(0, len(parts), 2): # every other one is code
        part = LINK.sub(lambda link: led(path, link), parts[i])
        parts[i] = TEXT.sub(lambda line: STAR.sub(r"\*", line[0]), part)
    to = PAGES / path
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text("".join(parts))


def led(path, link):
    """A link to a file that is no page leads to the reference of a header, or to a copy of the file."""
    to = link[1]
    if re.match(r"[a-z]+:", to) or to.endswith((".md", ".svg", ".png")):
        return link[0]
    file = (ROOT / path).parent.joinpath(to).resolve().relative_to(ROOT).as_posix()
    up = "../" * path.count("/")
    header = file.removeprefix("include/npuzzle/")
    if header in reference.headers:
        return f"]({up}reference/{header}.md)"
    copied = PAGES / "files" / f"{file}.txt"
    copied.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / file, copied)
    return f"]({up}files/{file}.txt)"


def rows_of_headers(text):
    """The lines of docs/headers.md, each with the headers that its first cell names, as they are written and with their folder."""
    folder = ""
    for line in text.splitlines():
        if line.startswith("## "):
            found = re.match(r"## `([a-z_/]+)/`", line)
            folder = found[1] + "/" if found else ""
        names = {}
        for name in re.findall(r"`([a-z_/]+\.hpp)`", line):
            header = next((header for header in (folder + name, name) if header in reference.headers), None)
            if header:
                names[name] = header
        yield line, names


def with_links_to_headers(text):
    lines = []
    for line, names in rows_of_headers(text):
        for name, header in names.items():
            line = line.replace(f"`{name}`", f"[`{name}`](../reference/{header}.md)")
        lines.append(line)
    return "\n".join(lines) + "\n"


def guides_of_headers():
    guides = {}
    for line, names in rows_of_headers((ROOT / "docs/headers.md").read_text()):
        cells = line.split(" | ")
        for name, header in names.items():
            if len(cells) > 1 and f"`{name}`" in cells[0]:
                up = "../" * (header.count("/") + 1)
                guides[header] = cells[-1].strip(" |").replace("](", f"]({up}docs/")
    return guides


def navigation():
    """The sections of docs/README.md. What stands before a colon in its lists is a group."""
    sections = [{"Start": ["README.md", "docs/README.md"]}]
    listed = {"README.md", "docs/README.md"}
    for section in re.split(r"^## ", (ROOT / "docs/README.md").read_text(), flags=re.MULTILINE)[1:]:
        title, text = section.split("\n", 1)
        if title != "Start":
            sections.append({title: []})
        entries = sections[-1][title]
        for item in re.split(r"\n(?=- |\d+\. |\n)", text):
            group = re.match(r"- ([^:\[]+): ", item)
            pages = []
            for link in re.findall(r"\]\(([^)#]+\.md)\)", item):
                page = (ROOT / "docs" / link).resolve().relative_to(ROOT).as_posix()
                if page not in listed:
                    listed.add(page)
                    pages.append(page)
            if title == "Project":
                about_the_project.extend(pages)
            entries += [{group[1]: pages}] if group else pages
        if title == "Reference":
            entries.append({"All headers": folders(sorted(reference.headers))})
    missing = set(guides()) - listed
    if missing:
        raise SystemExit(f"docs/README.md does not list {', '.join(sorted(missing))}")
    return sections


def folders(headers, depth=0):
    """The headers of a folder, then those of the folders in it."""
    entries, inner = [], {}
    for header in headers:
        name, *deeper = header.split("/")[depth:]
        if deeper:
            inner.setdefault(name, []).append(header)
        else:
            entries.append({name.replace("_", "_\u200b"): f"reference/{header}.md"}) # a place to break the line
    return entries + [{f"{name}/": folders(of_folder, depth + 1)} for name, of_folder in inner.items()]


def on_page_content(content, page, **_):
    """Names of the library, in text and after npuzzle:: in code, lead to the reference."""
    here = page.file.src_path
    if here == "docs/playground.md" and PLAYGROUND.exists():
        button = '<p><a class="md-button md-button--primary" href="../playground/index.html">Open the playground</a></p>'
        content = content.replace("</h1>", f"</h1>{button}", 1)

    def linked(name, shown):
        place = reference.links.get(name)
        return f'<a class="name" href="{relative(place, here)}">{shown}</a>' if place and place[0] != here else shown

    def in_text(found):
        code = found["code"]
        if code is None:
            return found[0]
        name = re.sub(r"^npuzzle::|\(.*\)$|&lt;.*&gt;$", "", code)
        # One word in small letters may be anything, unless it is called.
        is_name = name != code or re.search(r"[A-Z_]|::", name)
        return linked(name, found[0]) if is_name else found[0]

    # Paths may be broken between their words.
    parted = lambda path: f'<code class="path">{path[1].replace("/", "/<wbr>").replace("_", "_<wbr>")}</code>'
    content = re.sub(r"<code>([a-z_/]+\.hpp)</code>", parted, content)
    content = re.sub(r"<(?P<tag>a|h\d)\b.*?</(?P=tag)>|<code>(?P<code>[^<]*)</code>", in_text, content, flags=re.DOTALL)
    return re.sub(
        r'(<span class="n">npuzzle</span><span class="o">::</span>)(<span class="n[a-z]*">(\w+)</span>)',
        lambda found: found[1] + linked(found[3], found[2]),
        content,
    )


def on_post_build(config, **_):
    """The index of the search also as a script: a page that was opened as a file may load no other file."""
    site = Path(config["site_dir"])
    index = json.loads((site / "search/search_index.json").read_text())
    index["docs"] = [with_parts_of_names(entry) for entry in indexed(index["docs"])]
    text = json.dumps(index, ensure_ascii=False)
    (site / "search/search_index.json").write_text(text)
    (site / "search/search_index.js").write_text(f"var __search = {{ index: Promise.resolve({text}) }};\n")
    for worker in (site / "assets/javascripts/workers").glob("search.*.js"):
        # lunr takes two sets of words for one where a digit stands beside the number of a node, and then finds words that are
        # in no page: it fails. A sign between the two keeps them apart.
        worker.write_text(re.sub(r"(\w)=\1\+(\w)\+(\w)\.id\b", r'\1=\1+\2+\3.id+"|"', worker.read_text()))


def indexed(entries):
    """Guides with their sections. Of the reference a page has its names only, and what is about the project has no titles of
    sections: so neither comes before the guides."""
    whole = {}
    for entry in entries:
        location, _, section = entry["location"].partition("#")
        page = location.removesuffix(".html") + ".md"
        if page.startswith("reference/"):
            header = page.removeprefix("reference/").removesuffix(".md")
            if not section:
                names = [name.name for entry in reference.headers[header] for name in (entry, *entry.members)]
                yield {**entry, "title": f"npuzzle/{header}", "text": " ".join(dict.fromkeys(names))}
        elif page in about_the_project:
            if section:
                whole[page]["text"] += f" {entry['title']} {entry['text']}"
            else:
                whole[page] = entry
        else:
            tags = keywords.get(page) if not section else None
            yield {**entry, "tags": tags} if tags else entry
    yield from whole.values()


def with_parts_of_names(entry):
    """Whoever looks for "time limit" finds `time_limit`: the words of names follow the text."""
    words = set(entry["text"].split())
    parts = {part for word in words if re.search(r"\w[^\w'-]+\w|_", word) for part in re.findall(r"[A-Za-z0-9]+", word)}
    return {**entry, "text": " ".join([entry["text"], *sorted(parts - words)])}
