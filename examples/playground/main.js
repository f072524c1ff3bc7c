/// The tabs, the links and the colors.
const panes = { puzzle, map, yours };
const tabs = Object.keys(panes);
const opened = new Set();

function shown_tab() {
  return tabs.find((name) => !element(name).hidden);
}

/// Shows a tab; the first time, with the parts of a link.
function show_tab(name, parts = new URLSearchParams()) {
  for (const other of tabs) {
    const tab = element(`tab-${other}`);
    element(other).hidden = other !== name;
    tab.setAttribute("aria-selected", String(other === name));
    tab.tabIndex = other === name ? 0 : -1;
  }
  if (!opened.has(name) || [...parts.keys()].length > 1) {
    opened.add(name);
    panes[name].open(parts);
  }
  if (name === "map") map.draw();
}

for (const name of tabs) {
  const tab = element(`tab-${name}`);
  tab.onclick = () => show_tab(name);
  tab.onkeydown = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
    if (!by) return;
    const next = tabs[(tabs.indexOf(name) + by) % tabs.length];
    show_tab(next);
    element(`tab-${next}`).focus();
  };
}

function open_link() {
  const parts = new URLSearchParams(location.hash.slice(1));
  show_tab(tabs.includes(parts.get("tab")) ? parts.get("tab") : "puzzle", parts);
}

element("share").onclick = async () => {
  const name = shown_tab();
  const parts = new URLSearchParams({ tab: name, ...panes[name].share() });
  history.replaceState(null, "", `#${parts}`);
  try {
    await navigator.clipboard.writeText(location.href);
    notify("The link is copied. It holds all that is shown.");
  } catch {
    notify("The link is in the address bar.");
  }
};
addEventListener("hashchange", open_link);

function set_theme(theme) {
  document.documentElement.dataset.theme = theme;
  element("theme").setAttribute("aria-pressed", String(theme === "dark"));
  map.draw();
}
const dark = matchMedia("(prefers-color-scheme: dark)");
dark.onchange = () => set_theme(dark.matches ? "dark" : "light");
element("theme").onclick = () => set_theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");

element("version").textContent = choices.version;
set_theme(dark.matches ? "dark" : "light");
open_link();
