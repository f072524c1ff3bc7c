# Sourced by tests that need packages of npm.

skip() {
    echo "SKIPPED: $1"
    exit 77
}

# install_packages FROM DIRECTORY: what package-lock.json in the folder FROM names is installed in the directory, once. Fails where
# it cannot be.
install_packages() {
    mkdir -p "$2"
    cmp -s "$1/package-lock.json" "$2/installed.json" && return
    command -v npm >/dev/null || return
    rm -f "$2/installed.json"
    cp "$1/package.json" "$1/package-lock.json" "$2/"
    (cd "$2" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) || return
    cp "$1/package-lock.json" "$2/installed.json"
}
