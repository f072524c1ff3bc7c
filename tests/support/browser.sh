# Sourced by tests that drive a headless Chromium. What is missing ends the test with status 77: skipped. scripts/setup ci
# installs it.

source "$(dirname -- "${BASH_SOURCE[0]}")/packages.sh"

# find_browser DIRECTORY: sets chromium and node, and installs playwright-core in the directory, once.
find_browser() {
    local candidate
    chromium=
    for candidate in chromium chromium-browser google-chrome; do
        if command -v "$candidate" >/dev/null; then
            chromium=$(command -v "$candidate")
            break
        fi
    done
    [[ -n $chromium ]] || skip "there is no Chromium"
    node=$(command -v node || command -v nodejs) || skip "there is no Node.js"
    install_packages "$(dirname -- "${BASH_SOURCE[0]}")/../visual/browser" "$1" || skip "npm could not install playwright-core"
}
