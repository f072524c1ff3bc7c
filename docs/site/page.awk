# awk -v page=docs/search/astar.md -f page.awk docs/search/astar.md: the page as Doxygen takes it. Headings get the anchors
# that they have elsewhere, links between pages lead to what Doxygen makes of them, links to other files lead to copies of them, and pictures
# are taken from the folder images. With -v copies=FILE, the files to copy are added to FILE.

function id_of(path) {
    if (path == "README.md") return "index"
    sub(/\.md$/, "", path)
    sub(/^docs\/README$/, "guides", path)
    sub(/^docs\//, "guide-", path)
    gsub(/\//, "-", path)
    return "page-" path
}

function anchor_of(heading) {
    heading = tolower(heading)
    gsub(/[^a-z0-9 _-]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}

# Where a relative path leads, from the folder of this page.
function target_of(path,    parts, kept, count, i, result) {
    count = split(folder path, parts, "/")
    kept = 0
    for (i = 1; i <= count; ++i) {
        if (parts[i] == "." || parts[i] == "") continue
        if (parts[i] == "..") --kept
        else stack[++kept] = parts[i]
    }
    result = stack[1]
    for (i = 2; i <= kept; ++i) result = result "/" stack[i]
    return result
}

function in_html(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/"/, "\\&quot;", text)
    return text
}

# What stands in the place of [text](link).
function linked(text, link,    hash, anchor, path) {
    if (link ~ /^[a-z]+:/) return "[" text "](" link ")"
    hash = index(link, "#")
    anchor = hash ? substr(link, hash + 1) : ""
    path = hash ? substr(link, 1, hash - 1) : link
    path = path == "" ? page : target_of(path)
    if (path !~ /\.md$/) {
        if (copies != "") print path >>copies
        return "[" text "](files/" path ".txt)"
    }
    # The guides hang below their list, in its order.
    if (page == "docs/README.md" && anchor == "" && path != "README.md" && !(path in hung)) {
        hung[path] = 1
        gsub(/`/, "", text)
        return "@subpage " id_of(path) " \"" text "\""
    }
    return "[" text "](" id_of(path) ".html" (anchor == "" ? "" : "#" id_of(path) "--" anchor) ")"
}

# A line outside of blocks of code; what stands in backquotes is left alone.
function rewritten(line,    result, position, end, text, link, is_picture) {
    result = ""
    while (match(line, /`[^`]*`|!?\[[^][]*\]\([A-Za-z0-9_.\/:#-]+\)|\]\([A-Za-z0-9_.\/:#-]+\)/)) {
        result = result substr(line, 1, RSTART - 1)
        text = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (text ~ /^`/) {
            result = result text
            continue
        }
        position = index(text, "](")
        link = substr(text, position + 2, length(text) - position - 2)
        if (text ~ /^!/) {
            sub(/^.*images\//, "images/", link)
            result = result "<img src=\"" link "\" alt=\"" in_html(substr(text, 3, position - 3)) "\"/>"
        } else if (position == 1) { # the text of the link holds code, or began on the line before
            result = result substr(linked("", link), 2)
        } else {
            result = result linked(substr(text, 2, position - 2), link)
        }
    }
    return result line
}

BEGIN {
    folder = page
    if (!sub(/\/[^\/]*$/, "/", folder)) folder = ""
}

/^ *```/ {
    in_code = !in_code
    print
    next
}

in_code {
    print
    next
}

/^<!-- from / { next }

/^#+ / {
    level = $1
    heading = substr($0, length(level) + 2)
    if (level == "#") {
        print "# " (page == "README.md" ? "npuzzle {#mainpage}" : heading " {#" id_of(page) "}")
    } else {
        print level " " heading " {#" id_of(page) "--" anchor_of(heading) "}"
    }
    next
}

{ print rewritten($0) }
