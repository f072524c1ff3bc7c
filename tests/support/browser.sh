# Sourced by tests that drive a headless Chromium. What is missing ends the test with status 77: skipped. scripts/setup ci
# installs it.

skip() {
    echo "SKIPPED: $1"
    exit 77
}

# find_browser DIRECTORY: sets chromium and node, and installs playwright-core in the directory, once.
find_browser() {
    local candidate packages
    chromium=
    for candidate in chromium chromium-browser google-chrome; do
        if command -v "$candidate" >/dev/null; then
            chromium=$(command -v "$candidate")
            break
        fi
    done
    [[ -n $chromium ]] || skip "there is no Chromium"
    node=$(command -v node || command -v nodejs) || skip "there is no Node.js"

    packages=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../visual/browser" && pwd)
    mkdir -p "$1"
    if ! cmp -s "$packages/package-lock.json" "$1/installed.json"; then
        command -v npm >/dev/null || skip "there is no npm"
        rm -f "$1/installed.json"
        cp "$packages/package.json" "$packages/package-lock.json" "$1/"
        (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) ||
            skip "npm could not install playwright-core"
        cp "$packages/package-lock.json" "$1/installed.json"
    fi
}
