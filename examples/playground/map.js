/// The grid map: painting, searches of it, and what they do, expansion by expansion.
const map = (() => {
  const kinds = { open: 0, expand: 1, improve: 2, reopen: 3, goal: 4, iteration: 5 };
  const sizes = [[24, 16], [36, 24], [60, 40], [90, 60]];
  const heaviest = 9, max_expansions = 200000;
  const free = 1, wall = 0;

  let width = 36, height = 24, cells = new Uint8Array(width * height).fill(free), start = 0, goal = 1;
  let brush = "wall", position = 0, is_at_end = true;
  let cursor = null; // of the keyboard

  /// A list of the cells by runs: "3o2x4d" is three free cells, two walls and four of weight 4.
  const letters = "xobcdefghi";

  function encoded() {
    let text = "";
    for (let at = 0; at < cells.length;) {
      let end = at + 1;
      while (end < cells.length && cells[end] === cells[at]) ++end;
      text += (end - at > 1 ? end - at : "") + letters[cells[at]];
      at = end;
    }
    return text;
  }

  function decoded(text, count) {
    const result = [];
    for (const [, run, letter] of text.matchAll(/(\d*)([a-z])/g)) {
      const weight = letters.indexOf(letter);
      const length = run === "" ? 1 : Number(run);
      if (weight < 0 || length > count - result.length) return null;
      for (let i = 0; i < length; ++i) result.push(weight);
    }
    return result.length === count ? Uint8Array.from(result) : null;
  }

  /// One search of the map: its choice of an algorithm, its canvas, and its trace.
  class Panel {
    constructor(algorithm) {
      this.node = document.createElement("article");
      this.node.className = "panel card";
      const row = document.createElement("div"), label = document.createElement("label"), weight = document.createElement("label");
      row.className = "row";
      label.className = weight.className = "inline";
      this.select = document.createElement("select");
      fill_select(this.select, choices.map_algorithms, algorithm);
      label.append("Algorithm ", this.select);
      this.weight = Object.assign(document.createElement("input"), { type: "number", min: "1", max: "10", step: "0.5", value: "2" });
      weight.append("Weight ", this.weight);
      this.weight_label = weight;
      this.canvas = document.createElement("canvas");
      this.canvas.tabIndex = 0;
      this.canvas.setAttribute("role", "application");
      this.canvas.setAttribute("aria-describedby", "map-help");
      this.figures = document.createElement("dl");
      this.figures.className = "figures";
      row.append(label, weight, this.figures);
      this.say = document.createElement("p");
      this.say.className = "say hint";
      this.node.append(row, this.canvas, this.say);
      this.select.onchange = () => this.changed();
      this.weight.onchange = () => this.changed();
      this.job = null;
      this.clear();
    }

    changed() {
      this.weight_label.hidden = this.select.value !== "weighted_astar";
      run();
    }

    clear() {
      this.words = new Uint32Array(0);
      this.floats = new Float32Array(0);
      this.expansions = new Uint32Array(0); // the number of the event of each
      this.result = null;
      this.rewind();
    }

    /// Takes over a trace: three words for each event.
    take(result) {
      this.clear();
      this.result = result;
      if (!result.trace) return;
      this.words = result.trace;
      this.floats = new Float32Array(result.trace.buffer);
      const found = [];
      for (let event = 0; event < this.words.length / 3; ++event) {
        if (this.kind(event) === kinds.expand) found.push(event);
      }
      this.expansions = Uint32Array.from(found);
      this.rewind();
    }

    kind(event) {
      return (this.words[3 * event] >>> 24) & 15;
    }

    rewind() {
      this.event = 0;
      this.made = 0;
      this.open = [new Uint8Array(cells.length), new Uint8Array(cells.length)];
      this.closed = [new Uint8Array(cells.length), new Uint8Array(cells.length)];
      this.frontier = this.closed_cells = this.reopened = this.iterations = 0;
      this.current = -1;
    }

    /// Shows the search after so many expansions, or its end.
    go_to(made) {
      const target = Math.min(made, this.expansions.length);
      if (target < this.made) this.rewind();
      const end = target < this.expansions.length ? this.expansions[target] : this.words.length / 3;
      for (; this.event < end; ++this.event) this.replay(this.event);
      this.made = target;
      this.draw();
      this.tell();
    }

    replay(event) {
      const word = this.words[3 * event], cell = word & 0xffffff, side = word >>> 28;
      const open = this.open[side], closed = this.closed[side];
      switch (this.kind(event)) {
        case kinds.open:
        case kinds.reopen:
          if (this.kind(event) === kinds.reopen) ++this.reopened;
          if (closed[cell]) {
            // IDA* comes to a cell again, and leaves it closed.
            if (this.kind(event) === kinds.open) break;
            closed[cell] = 0;
            --this.closed_cells;
          }
          if (!open[cell]) ++this.frontier;
          open[cell] = 1;
          break;
        case kinds.expand:
          if (open[cell]) --this.frontier;
          open[cell] = 0;
          if (!closed[cell]) ++this.closed_cells;
          closed[cell] = 1;
          this.current = event;
          break;
        case kinds.iteration:
          for (const marks of [...this.open, ...this.closed]) marks.fill(0);
          this.frontier = this.closed_cells = 0;
          ++this.iterations;
      }
    }

    get is_over() {
      return this.result !== null && this.made >= this.expansions.length;
    }

    tell() {
      const figures = [["Expanded", number(this.made)], ["Frontier", number(this.frontier)], ["Closed", number(this.closed_cells)]];
      if (this.iterations) figures.push(["Iterations", number(this.iterations)]);
      if (this.reopened) figures.push(["Reopened", number(this.reopened)]);
      const is_found = this.is_over && this.result.status === "solved";
      figures.push(["Path cost", is_found ? Number(this.result.cost.toFixed(2)) : "–"]);
      show_figures(this.figures, figures);
      if (this.result?.error) {
        this.say.textContent = this.result.error;
      } else if (this.is_over) {
        const words = { solved: `Found, ${number(this.result.path?.length - 1)} steps`, expansion_limit: `Stopped after ${number(max_expansions)} expansions` };
        this.say.textContent = words[this.result.status] ?? status_words[this.result.status] ?? this.result.status;
      } else if (this.current >= 0 && this.made > 0) {
        const cell = this.words[3 * this.current] & 0xffffff, g = this.floats[3 * this.current + 1], h = this.floats[3 * this.current + 2];
        this.say.textContent = `Column ${(cell % width) + 1}, row ${Math.floor(cell / width) + 1}: g ${g.toFixed(1)}, h ${h.toFixed(1)}, f ${(g + h).toFixed(1)}`;
      } else {
        this.say.textContent = "";
      }
    }

    draw() {
      const canvas = this.canvas, box = canvas.clientWidth;
      if (!box) return;
      const ratio = devicePixelRatio || 1, side = Math.max(1, Math.floor((box * ratio) / width));
      if (canvas.width !== side * width || canvas.height !== side * height) {
        canvas.width = side * width;
        canvas.height = side * height;
        canvas.style.aspectRatio = `${width} / ${height}`;
      }
      const style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue(`--${name}`);
      const colors = Object.fromEntries(["free", "grid", "wall", "heavy", "open", "closed", "closed-back", "both", "path", "start", "goal", "accent", "ink"].map((name) => [name, color(name)]));
      const pen = canvas.getContext("2d");
      pen.fillStyle = colors.grid;
      pen.fillRect(0, 0, canvas.width, canvas.height);
      const gap = side > 5 ? Math.max(1, Math.round(ratio / 2)) : 0;
      const fill = (cell, inset = gap) => pen.fillRect((cell % width) * side + inset, Math.floor(cell / width) * side + inset, side - inset - gap, side - inset - gap);
      for (let cell = 0; cell < cells.length; ++cell) {
        const is_forward = this.closed[0][cell], is_backward = this.closed[1][cell];
        pen.fillStyle = cells[cell] === wall ? colors.wall
          : is_forward && is_backward ? colors.both : is_forward ? colors.closed : is_backward ? colors["closed-back"]
          : this.open[0][cell] || this.open[1][cell] ? colors.open : colors.free;
        fill(cell);
        if (cells[cell] > free) {
          pen.globalAlpha = 0.75;
          pen.fillStyle = colors.heavy;
          const inner = Math.max(2, side * (0.2 + 0.06 * cells[cell]));
          const offset = (side - inner) / 2;
          pen.fillRect((cell % width) * side + offset, Math.floor(cell / width) * side + offset, inner, inner);
          pen.globalAlpha = 1;
        }
      }
      const middle = (cell) => [((cell % width) + 0.5) * side, (Math.floor(cell / width) + 0.5) * side];
      if (this.is_over && this.result.path?.length > 1) {
        pen.strokeStyle = colors.path;
        pen.lineWidth = Math.max(2, side * 0.28);
        pen.lineJoin = pen.lineCap = "round";
        pen.beginPath();
        for (const cell of this.result.path) pen.lineTo(...middle(cell));
        pen.stroke();
      } else if (this.current >= 0 && !this.is_over) {
        pen.strokeStyle = colors.ink;
        pen.lineWidth = Math.max(2, side * 0.14);
        const [x, y] = middle(this.words[3 * this.current] & 0xffffff);
        pen.strokeRect(x - side / 2 + 1, y - side / 2 + 1, side - 2, side - 2);
      }
      for (const [cell, name] of [[start, "S"], [goal, "G"]]) {
        const [x, y] = middle(cell), radius = Math.max(side * 0.62, 7 * ratio);
        pen.fillStyle = name === "S" ? colors.start : colors.goal;
        pen.beginPath();
        pen.arc(x, y, radius, 0, 7);
        pen.fill();
        pen.fillStyle = colors.free;
        pen.font = `700 ${Math.round(radius * 1.25)}px system-ui, sans-serif`;
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        pen.fillText(name, x, y + radius * 0.08);
      }
      if (cursor !== null && document.activeElement === canvas) {
        const [x, y] = middle(cursor);
        pen.strokeStyle = colors.accent;
        pen.lineWidth = 3 * ratio;
        pen.strokeRect(x - side / 2, y - side / 2, side, side);
      }
    }

    cell_at(event) {
      const box = this.canvas.getBoundingClientRect();
      const x = Math.floor(((event.clientX - box.left) / box.width) * width), y = Math.floor(((event.clientY - box.top) / box.height) * height);
      return x >= 0 && x < width && y >= 0 && y < height ? y * width + x : null;
    }
  }

  const panels = [new Panel("astar"), new Panel("dijkstra")];
  const shown = () => (element("two").checked ? panels : panels.slice(0, 1));

  // Painting: a stroke goes on with what it began with, and start and goal are dragged.
  let stroke = null;

  function describe(cell) {
    const what = cell === start ? "start" : cell === goal ? "goal" : cells[cell] === wall ? "wall" : cells[cell] === free ? "free" : `weight ${cells[cell]}`;
    return `Column ${(cell % width) + 1}, row ${Math.floor(cell / width) + 1}: ${what}`;
  }

  function begin_stroke(cell) {
    if (cell === start || cell === goal) return { moves: cell === start ? "start" : "goal" };
    const value = brush === "wall" ? wall : brush === "free" ? free : Number(brush);
    return { value: cells[cell] === value ? free : value, last: cell };
  }

  function paint(cell) {
    if (stroke.moves) {
      if (cells[cell] === wall || cell === start || cell === goal) return;
      if (stroke.moves === "start") start = cell;
      else goal = cell;
      return run();
    }
    // A fast finger leaves out cells: those between are on the line.
    const [x, y] = [cell % width, Math.floor(cell / width)], [fx, fy] = [stroke.last % width, Math.floor(stroke.last / width)];
    const count = Math.max(Math.abs(x - fx), Math.abs(y - fy), 1);
    for (let i = 0; i <= count; ++i) {
      const between = Math.round(fy + ((y - fy) * i) / count) * width + Math.round(fx + ((x - fx) * i) / count);
      if (between !== start && between !== goal) cells[between] = stroke.value;
    }
    stroke.last = cell;
    run();
  }

  for (const panel of panels) {
    const { canvas } = panel;
    canvas.onpointerdown = (event) => {
      const cell = panel.cell_at(event);
      if (cell === null || event.button > 0) return;
      canvas.setPointerCapture(event.pointerId);
      stroke = begin_stroke(cell);
      if (!stroke.moves) paint(cell);
    };
    canvas.onpointermove = (event) => {
      const cell = stroke && panel.cell_at(event);
      if (stroke && cell !== null) paint(cell);
    };
    canvas.onpointerup = canvas.onpointercancel = () => (stroke = null);
    canvas.onfocus = canvas.onblur = () => panel.draw();
    canvas.onkeydown = (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
      cursor ??= start;
      if (step) {
        const x = Math.max(0, Math.min(width - 1, (cursor % width) + step[0])), y = Math.max(0, Math.min(height - 1, Math.floor(cursor / width) + step[1]));
        cursor = y * width + x;
      } else if (event.key === " " || event.key === "Enter") {
        stroke = begin_stroke(cursor);
        if (!stroke.moves) paint(cursor);
        stroke = null;
      } else if (/^[0-9]$/.test(event.key)) {
        if (cursor !== start && cursor !== goal) cells[cursor] = Number(event.key);
        run();
      } else if (event.key === "s" || event.key === "g") {
        stroke = { moves: event.key === "s" ? "start" : "goal" };
        paint(cursor);
        stroke = null;
      } else {
        return;
      }
      event.preventDefault();
      panel.draw();
      element("map-text").textContent = describe(cursor);
    };
  }

  // One run of all panels; a change while one is made begins another one after it.
  let is_running = false, is_due = false;

  async function run() {
    is_due = true;
    set_playing(false);
    if (is_running) {
      for (const panel of shown()) {
        panel.clear();
        panel.draw();
      }
      return;
    }
    is_running = true;
    while (is_due) {
      is_due = false;
      element("map-cancel").hidden = false;
      const request = { width, height, cells, start, goal, has_diagonals: element("diagonals").checked, expansions: max_expansions };
      const jobs = shown().map((panel) => {
        const weight = Math.max(1, Number(panel.weight.value) || 1);
        panel.job = search("search_map", { ...request, algorithm: panel.select.value, weight }, (statistics) => {
          element("map-text").textContent = `Searching: ${number(statistics.expanded)} expanded`;
        });
        return panel.job.done.then((result) => [panel, result]);
      });
      for (const [panel, result] of await Promise.all(jobs)) {
        if (!is_due) panel.take(result);
      }
    }
    if (document.activeElement === element("map-cancel")) element("map-play").focus();
    element("map-cancel").hidden = true;
    is_running = false;
    go_to(is_at_end ? Infinity : position);
  }

  const last = () => Math.max(0, ...shown().map((panel) => panel.expansions.length));

  function go_to(target) {
    position = Math.max(0, Math.min(last(), target));
    is_at_end = position === last();
    for (const panel of shown()) panel.go_to(position);
    const slider = element("expansions");
    slider.max = last();
    slider.value = position;
    slider.setAttribute("aria-valuetext", `${position} of ${last()} expansions`);
    element("map-text").textContent = `${number(position)} of ${number(last())} expansions`;
    disable(["map-start", "map-back"], position === 0, "map-play");
    disable(["map-forward", "map-end"], is_at_end, "map-play");
  }

  let frame = 0, since = 0, owed = 0;
  const is_playing = () => element("map-play").classList.contains("playing");

  function set_playing(wanted) {
    cancelAnimationFrame(frame);
    element("map-play").classList.toggle("playing", wanted);
    element("map-play").setAttribute("aria-label", wanted ? "Pause" : "Play");
    element("map-text").setAttribute("aria-live", wanted ? "off" : "polite");
    if (!wanted) return;
    since = performance.now();
    owed = 0;
    frame = requestAnimationFrame(tick);
  }

  function tick(now) {
    owed += (Math.max(0, now - since) / 1000) * Number(element("map-speed").value);
    since = now;
    const whole = Math.floor(owed);
    owed -= whole;
    if (whole > 0) go_to(position + whole);
    if (is_at_end) return set_playing(false);
    frame = requestAnimationFrame(tick);
  }

  // Maps to begin with. The same each time: a link need not tell which.
  function random_numbers(seed) {
    return () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
  }

  const presets = {
    rooms(set) {
      const random = random_numbers(7);
      for (let x = 8; x < width - 3; x += 9) for (let y = 0; y < height; ++y) set(x, y, wall);
      for (let y = 7; y < height - 3; y += 8) for (let x = 0; x < width; ++x) set(x, y, wall);
      for (let x = 8; x < width - 3; x += 9) for (let y = 0; y < height; y += 8) set(x, Math.min(height - 1, y + 1 + Math.floor(random() * 5)), free);
      for (let y = 7; y < height - 3; y += 8) for (let x = 0; x < width; x += 9) set(Math.min(width - 1, x + 1 + Math.floor(random() * 6)), y, free);
    },
    trap(set) {
      const left = Math.floor(width / 4), right = Math.floor((width * 3) / 4), top = Math.floor(height / 5), bottom = height - 1 - top;
      for (let x = left; x <= right; ++x) for (const y of [top, bottom]) set(x, y, wall);
      for (let y = top; y <= bottom; ++y) set(right, y, wall);
    },
    scattered(set) {
      const random = random_numbers(11);
      for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) if (random() < 0.28) set(x, y, wall);
    },
    hills(set) {
      for (let y = 0; y < height; ++y) {
        for (let x = 0; x < width; ++x) {
          const hill = Math.sin((x / width) * 7.5) * Math.cos((y / height) * 6.2) + 0.35 * Math.sin((x + 2 * y) / 5);
          set(x, y, Math.max(free, Math.min(heaviest, Math.round(1 + 6 * hill))));
        }
      }
    },
    maze(set) {
      for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) set(x, y, wall);
      const random = random_numbers(3), way = [[1, 1]];
      set(1, 1, free);
      while (way.length) {
        const [x, y] = way[way.length - 1];
        const next = [[2, 0], [-2, 0], [0, 2], [0, -2]].filter(([dx, dy]) =>
          x + dx > 0 && x + dx < width - 1 && y + dy > 0 && y + dy < height - 1 && cells[(y + dy) * width + x + dx] === wall);
        if (!next.length) {
          way.pop();
          continue;
        }
        const [dx, dy] = next[Math.floor(random() * next.length)];
        set(x + dx / 2, y + dy / 2, free);
        set(x + dx, y + dy, free);
        way.push([x + dx, y + dy]);
      }
    },
    empty() {},
  };

  function fill(preset) {
    cells = new Uint8Array(width * height).fill(free);
    presets[preset]((x, y, value) => (cells[y * width + x] = value));
    const row = Math.floor(height / 2);
    start = row * width + 3;
    goal = row * width + width - 4;
    if (preset === "maze") [start, goal] = [width + 1, cells.lastIndexOf(free)];
    cells[start] = cells[goal] = free;
    cursor = null;
    is_at_end = true;
    for (const panel of panels) panel.clear();
    run();
  }

  fill_segmented(element("brushes"), [{ name: "wall", label: "Wall" }, ...[2, 5, 9].map((weight) => ({ name: String(weight), label: `×${weight}`, description: `Weight ${weight}` })), { name: "free", label: "Erase" }], "wall", (name) => (brush = name));
  fill_select(element("preset"), [["rooms", "Rooms"], ["trap", "Trap"], ["scattered", "Scattered"], ["hills", "Hills"], ["maze", "Maze"], ["empty", "Empty"]].map(([name, label]) => ({ name, label })), "rooms");
  fill_select(element("map-size"), sizes.map(([columns, rows]) => ({ name: `${columns}x${rows}`, label: `${columns} × ${rows}` })), "36x24");
  element("panels").append(...panels.map(({ node }) => node));
  element("preset").onchange = () => fill(element("preset").value);
  element("map-size").onchange = () => {
    [width, height] = element("map-size").value.split("x").map(Number);
    show_panels();
    fill(element("preset").value);
  };
  element("diagonals").onchange = run;
  function show_panels() {
    element("panels").classList.toggle("two", element("two").checked);
    element("panels").style.setProperty("--aspect", width / height);
    panels[1].node.hidden = !element("two").checked;
    panels.forEach((panel, index) => {
      panel.weight_label.hidden = panel.select.value !== "weighted_astar";
      panel.canvas.setAttribute("aria-label", `Map ${index + 1}, ${width} columns and ${height} rows`);
    });
  }
  element("two").onchange = () => {
    show_panels();
    run();
  };
  element("clear").onclick = () => {
    element("preset").value = "empty";
    fill("empty");
  };
  element("expansions").oninput = () => {
    set_playing(false);
    go_to(Number(element("expansions").value));
  };
  for (const [id, target] of [["map-start", () => 0], ["map-back", () => position - 1], ["map-forward", () => position + 1], ["map-end", () => Infinity]]) {
    element(id).onclick = () => {
      set_playing(false);
      go_to(target());
    };
  }
  element("map-play").onclick = () => {
    if (is_playing()) return set_playing(false);
    if (is_at_end) go_to(0);
    set_playing(true);
  };
  element("map-cancel").onclick = () => {
    for (const panel of shown()) panel.job?.cancel();
  };
  new ResizeObserver(() => panels.forEach((panel) => panel.draw())).observe(element("panels"));

  return {
    draw: () => panels.forEach((panel) => panel.draw()),
    share: () => ({ size: `${width}x${height}`, cells: encoded(), start, goal, diagonals: Number(element("diagonals").checked),
      algorithms: shown().map((panel) => panel.select.value + (panel.select.value === "weighted_astar" ? `:${panel.weight.value}` : "")).join(",") }),
    open(parts) {
      const [columns, rows] = (parts.get("size") ?? "").split("x").map(Number);
      const is_size = columns > 1 && rows > 1 && columns * rows <= 40000;
      const taken = is_size ? decoded(parts.get("cells") ?? "", columns * rows) : null;
      const at = (name) => {
        const cell = Number(parts.get(name) ?? NaN);
        return taken && Number.isInteger(cell) && cell >= 0 && cell < taken.length && taken[cell] !== wall ? cell : null;
      };
      const algorithms = (parts.get("algorithms") ?? "").split(",");
      element("two").checked = algorithms.length > 1;
      element("diagonals").checked = parts.get("diagonals") !== "0";
      algorithms.slice(0, 2).forEach((text, index) => {
        const [name, weight] = text.split(":");
        if (choices.map_algorithms.some((choice) => choice.name === name)) panels[index].select.value = name;
        if (weight > 0) panels[index].weight.value = weight;
      });
      if (taken && at("start") !== null && at("goal") !== null) {
        [width, height, cells, start, goal] = [columns, rows, taken, at("start"), at("goal")];
        const name = `${columns}x${rows}`;
        if (![...element("map-size").options].some((option) => option.value === name)) element("map-size").add(new Option(name.replace("x", " × "), name));
        element("map-size").value = name;
        show_panels();
        for (const panel of panels) panel.clear();
        run();
      } else {
        if (parts.has("cells")) notify("The link holds no whole map.");
        show_panels();
        fill("rooms");
      }
    },
  };
})();
