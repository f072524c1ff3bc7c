const element = (id) => document.getElementById(id);

/// The library, for what takes no time: boards and their slides.
const library = await create_engine();
const choices = library.choices();

/// Searches run in workers, made of the same text: a page that was opened from a file may load nothing else.
const worker_address = URL.createObjectURL(
  new Blob([element("engine").textContent, element("worker").textContent], { type: "text/javascript" }));
const idle_workers = [];
/// What a search may hold: less on devices that have little.
const max_bytes = (navigator.deviceMemory ?? 4) < 4 ? 2 ** 28 : 2 ** 30;

/// Begins a search. `done` is a promise of its result; `cancel` ends the search, whose result then has the status
/// "cancelled" and the statistics that were told last.
function search(call, request, progress = () => {}) {
  const worker = idle_workers.pop() ?? new Worker(worker_address);
  let last, settle;
  const done = new Promise((resolve) => (settle = resolve));
  worker.onmessage = ({ data }) => {
    if (data.result) {
      if (data.is_broken) worker.terminate();
      else idle_workers.push(worker);
      settle(data.result);
    } else {
      last = data.statistics;
      progress(data.statistics, data.bound);
    }
  };
  worker.onerror = (event) => settle({ error: event.message });
  worker.postMessage({ call, request: { bytes: max_bytes, ...request } });
  const cancel = () => {
    worker.terminate();
    settle({ status: "cancelled", statistics: last, boards: [], layers: [] });
  };
  return { done, cancel };
}

const number_format = new Intl.NumberFormat("en");
const number = (value) => number_format.format(value);

function seconds(value) {
  if (value < 0.001) return `${Math.round(value * 1e6)} µs`;
  if (value < 1) return `${(value * 1000).toPrecision(3)} ms`;
  return `${value.toPrecision(3)} s`;
}

function bytes(value) {
  if (value < 1e6) return `${Math.ceil(value / 1e3)} kB`;
  return value < 1e9 ? `${(value / 1e6).toPrecision(3)} MB` : `${(value / 1e9).toPrecision(3)} GB`;
}

const status_words = {
  solved: "Solved",
  unsolvable: "No solution",
  expansion_limit: "Stopped: too many expansions",
  memory_limit: "Stopped: out of memory",
  time_limit: "Stopped: out of time",
  cancelled: "Cancelled",
};

/// Disables buttons or enables them. One that had the focus passes it on: else it would be the page's.
function disable(ids, is_disabled, heir) {
  for (const id of ids) {
    if (is_disabled && document.activeElement === element(id)) element(heir).focus();
    element(id).disabled = is_disabled;
  }
}

/// Fills a list of terms and values.
function show_figures(list, figures) {
  list.replaceChildren(...figures.map(([name, value]) => {
    const group = document.createElement("div"), term = document.createElement("dt"), what = document.createElement("dd");
    term.textContent = name;
    what.textContent = value;
    group.append(term, what);
    return group;
  }));
}

/// Why a text is not a board, without the place in a file.
const board_fault = ({ error }) => error.replace(/^board:\d+:\d+: |; the first number, \d, is the size of the board$/g, "");

/// Makes an element with attributes and children.
function made(name, attributes, ...children) {
  const node = Object.assign(document.createElement(name), attributes);
  node.append(...children);
  return node;
}

function fill_select(select, entries, chosen) {
  select.replaceChildren(...entries.map(({ name, label }) => new Option(label, name, name === chosen, name === chosen)));
}

/// Radio buttons that look like one control.
function fill_segmented(group, entries, chosen, change) {
  group.replaceChildren(...entries.map(({ name, label, description }) => {
    const whole = document.createElement("label"), input = document.createElement("input");
    input.type = "radio";
    input.name = group.id;
    input.value = name;
    input.checked = name === chosen;
    input.onchange = () => change(name);
    if (description) input.setAttribute("aria-label", (whole.title = description));
    whole.append(input, label);
    return whole;
  }));
}

const choose_segment = (group, name) => (group.querySelector(`[value="${name}"]`).checked = true);

let notice_timer;
function notify(text) {
  element("notice").textContent = text;
  clearTimeout(notice_timer);
  notice_timer = setTimeout(() => (element("notice").textContent = ""), 4000);
}

function drawn(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function short(value) {
  if (value < 1000) return String(Math.round(value));
  const [unit, of] = value < 1e6 ? ["k", 1e3] : value < 1e9 ? ["M", 1e6] : ["G", 1e9];
  return `${Number((value / of).toPrecision(2))}${unit}`;
}

/// A figure with the axes of a chart of expansions over f. Returns it with `x(f)` and `y(expanded)`.
function chart(title, series, is_logarithmic) {
  const width = document.documentElement.clientWidth < 600 ? 340 : 520, height = 190, left = 34, bottom = 20, top = 8;
  const all = series.flatMap(({ layers }) => layers);
  const least = Math.min(...all.map(([f]) => f)), most = Math.max(...all.map(([f]) => f));
  const peak = Math.max(...all.map(([, expanded]) => expanded));
  const slot = (width - left) / (most - least + 1);
  const scale = is_logarithmic ? (value) => Math.log10(value + 1) : (value) => value;
  const x = (f) => left + (f - least + 0.5) * slot;
  const y = (expanded) => height - bottom - ((height - bottom - top) * scale(expanded)) / scale(peak);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  const ticks = is_logarithmic ? [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8].filter((tick) => tick <= peak) : [0, peak / 2, peak];
  for (const tick of ticks) {
    svg.append(drawn("path", { class: "axis", d: `M${left} ${y(tick)}H${width}` }),
      drawn("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, short(tick)));
  }
  const step = Math.max(1, Math.ceil((most - least + 1) / (width / 32)));
  for (let f = least; f <= most; f += step) {
    svg.append(drawn("text", { x: x(f), y: height - 4, "text-anchor": "middle" }, String(f)));
  }
  const figure = document.createElement("figure"), caption = document.createElement("figcaption");
  caption.textContent = title;
  figure.append(caption, svg);
  return { figure, svg, x, y, slot };
}
