/// The sliding puzzle: a board, a search, its solution, and heuristics side by side.
const puzzle = (() => {
  const board_frame = element("board"), cells = document.createElement("div");
  board_frame.append(cells);
  let board = library.goal(3);       // with its tiles, and whether it is solvable
  let solution = [], step = 0;       // the boards along the solution
  let timer = 0, running = null;     // a search
  let drawn_tiles = new Map();

  function is_playing() {
    return element("play").classList.contains("playing");
  }

  function set_playing(wanted) {
    clearTimeout(timer);
    element("play").classList.toggle("playing", wanted);
    element("play").setAttribute("aria-label", wanted ? "Pause" : "Play");
    if (wanted) tick();
  }

  function tick() {
    go_to(step + 1);
    if (step + 1 >= solution.length) return set_playing(false);
    timer = setTimeout(tick, 1000 / Number(element("play-speed").value));
  }

  function draw() {
    const size = board.size;
    if (drawn_tiles.size !== size * size - 1) {
      drawn_tiles = new Map();
      for (let tile = 1; tile < size * size; ++tile) {
        const drawn_tile = document.createElement("button");
        drawn_tile.type = "button";
        drawn_tile.className = "tile";
        drawn_tile.tabIndex = -1;
        drawn_tile.textContent = tile;
        drawn_tile.style.width = drawn_tile.style.height = `${100 / size}%`;
        drawn_tile.style.fontSize = `${(size < 4 ? 40 : 38) / size}cqw`;
        drawn_tiles.set(tile, drawn_tile);
      }
      cells.replaceChildren(...drawn_tiles.values());
    }
    board.tiles.forEach((tile, cell) => {
      if (!tile) return;
      const drawn_tile = drawn_tiles.get(tile);
      const column = cell % size, row = Math.floor(cell / size);
      drawn_tile.style.transform = `translate(${column * 100}%, ${row * 100}%)`;
      drawn_tile.classList.toggle("home", tile === cell + 1);
      drawn_tile.setAttribute("aria-label", `Tile ${tile}, row ${row + 1}, column ${column + 1}`);
    });
    const rows = Array.from({ length: size }, (_, row) =>
      Array.from(board.tiles.slice(row * size, (row + 1) * size), (tile) => tile || "gap").join(" "));
    board_frame.setAttribute("aria-label", `Board: ${rows.join("; ")}`);
  }

  function show_estimates() {
    const known = choices.board_heuristics.filter(({ name }) =>
      name !== "zero" && name !== "greatest" && !(name === "walking_distance" && board.size > 4));
    show_figures(element("estimates"), known.map(({ name, label }) => [label, library.estimate(board.tiles, name)]));
  }

  function show_step() {
    element("player").hidden = element("watch").hidden = solution.length < 2;
    element("step").max = solution.length - 1;
    element("step").value = step;
    const last = solution.length - 1;
    element("step").setAttribute("aria-valuetext", `Move ${step} of ${last}`);
    element("step-text").textContent = `Move ${step} of ${last}`;
    disable(["to-start", "back"], step === 0, "play");
    disable(["forward", "to-end"], step === last, "play");
  }

  /// Shows a board. Without a text of its own, the field gets it, too.
  function show(next, keeps_text = false) {
    board = next;
    draw();
    show_estimates();
    choose_segment(element("sizes"), String(board.size));
    show_hint();
    if (!keeps_text) element("tiles").value = Array.from(board.tiles).join(" ");
    element("tiles-fault").textContent = board.is_solvable ? "" : "The solved board cannot be reached from this one: exchange two tiles.";
  }

  function forget() {
    set_playing(false);
    solution = [];
    show_step();
  }

  /// Another board is to be solved; or none, if the text is not a board. The last board stays in sight then, but pale.
  function begin(next, keeps_text) {
    cancel();
    running = null; // what it finds is of no use
    forget();
    for (const id of ["outcome", "figures", "layers"]) element(id).replaceChildren();
    element("comparison").hidden = true;
    board_frame.classList.toggle("pale", Boolean(next.error));
    disable(["solve", "compare"], Boolean(next.error), "tiles");
    if (!next.error) return show(next, keeps_text);
    element("tiles-fault").textContent = board_fault(next);
    element("outcome").textContent = "The text above is not a board.";
  }

  const parsed = (tiles) => library.parse_board(Array.from(tiles).join(" "));

  function go_to(target) {
    step = Math.max(0, Math.min(solution.length - 1, target));
    show(parsed(solution[step]));
    show_step();
  }

  /// Slides the tiles between a cell and the gap.
  function slide(cell) {
    const boards = library.slide(board.tiles, cell);
    if (!boards.length) return;
    const next = parsed(boards[boards.length - 1]);
    begin(next);
    if (next.is_goal) notify("Solved!");
  }

  function slide_by_key(columns, rows) {
    const size = board.size, gap = board.tiles.indexOf(0);
    const column = (gap % size) - columns, row = Math.floor(gap / size) - rows;
    if (column >= 0 && column < size && row >= 0 && row < size) slide(row * size + column);
  }

  // A tile follows the finger toward the gap, and slides there when it is let go, or was not moved at all.
  let drag = null;
  cells.onpointerdown = (event) => {
    const tile = event.target.closest(".tile");
    if (!tile || event.button > 0) return;
    const cell = board.tiles.indexOf(Number(tile.textContent)), gap = board.tiles.indexOf(0), size = board.size;
    const columns = (gap % size) - (cell % size), rows = Math.floor(gap / size) - Math.floor(cell / size);
    if (library.slide(board.tiles, cell).length === 0) return;
    drag = { tile, cell, columns: Math.sign(columns), rows: Math.sign(rows), from: event, moved: 0, base: tile.style.transform };
    cells.setPointerCapture(event.pointerId);
  };
  cells.onpointermove = (event) => {
    if (!drag) return;
    const side = drag.tile.offsetWidth;
    const along = (event.clientX - drag.from.clientX) * drag.columns + (event.clientY - drag.from.clientY) * drag.rows;
    drag.moved = Math.max(drag.moved, Math.abs(along) / side);
    drag.along = Math.max(0, Math.min(side, along));
    drag.tile.classList.add("dragged");
    drag.tile.style.transform = `${drag.base} translate(${drag.along * drag.columns}px, ${drag.along * drag.rows}px)`;
  };
  cells.onpointerup = () => {
    if (!drag) return;
    const { tile, cell, moved, along = 0, base } = drag;
    drag = null;
    tile.classList.remove("dragged");
    tile.style.transform = base;
    if (moved < 0.1 || along > tile.offsetWidth * 0.4) slide(cell);
  };
  cells.onpointercancel = () => {
    if (!drag) return;
    drag.tile.classList.remove("dragged");
    drag.tile.style.transform = drag.base;
    drag = null;
  };
  board_frame.onkeydown = (event) => {
    const direction = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (!direction || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    slide_by_key(...direction);
  };

  const request = () => ({
    tiles: board.tiles,
    algorithm: element("algorithm").value,
    heuristic: element("heuristic").value,
    weight: Math.max(1, Number(element("weight").value) || 1),
  });

  /// Shows Cancel instead of the buttons that begin a search, or these again. The one that had the focus passes it on.
  let began_by = element("solve");
  function set_running(job) {
    running = job;
    const focused = document.activeElement;
    element("solve").hidden = element("compare").hidden = job !== null;
    element("cancel").hidden = job === null;
    if (focused === element("cancel") && !job) return began_by.focus();
    if (focused !== element("solve") && focused !== element("compare")) return;
    began_by = focused;
    element("cancel").focus();
  }

  /// Whether the result of what was running belongs to the board that is shown.
  function end_running() {
    const is_wanted = running !== null;
    set_running(null);
    return is_wanted;
  }

  function cancel() {
    if (running) running.cancel();
  }

  const takes_heuristic = (algorithm) => algorithm !== "solver" && algorithm !== "quick";
  const is_deepening = (algorithm) => algorithm === "ida_star";

  function show_layers(place, layers, algorithm) {
    if (layers.length < 2) return place.replaceChildren();
    const title = is_deepening(algorithm) ? "Expansions of each iteration, by its bound" : "Expansions by f = g + h";
    const { figure, svg, x, y, slot } = chart(title, [{ layers }], false);
    for (const [f, expanded] of layers) {
      svg.append(drawn("rect", { x: x(f) - Math.min(slot * 0.4, 14), y: y(expanded), width: Math.min(slot * 0.8, 28), height: Math.max(0.5, y(0) - y(expanded)), rx: 1 },
        drawn("title", {}, `${f}: ${number(expanded)}`)));
    }
    place.replaceChildren(figure);
  }

  async function solve() {
    set_playing(false);
    const wanted = request();
    const began = performance.now();
    element("outcome").textContent = "Searching …";
    for (const id of ["figures", "layers"]) element(id).replaceChildren();
    const job = search("search_board", wanted, (statistics, bound) => {
      element("outcome").textContent = `Searching: ${number(statistics.expanded)} expanded${bound >= 0 ? `, at f = ${bound}` : ""}`;
    });
    set_running(job);
    const result = await job.done;
    if (!end_running()) return;
    if (result.error) return void (element("outcome").textContent = result.error);
    const statistics = result.statistics ?? { expanded: 0, generated: 0, bytes: 0, seconds: (performance.now() - began) / 1000 };
    const moves = result.boards.length - 1;
    const is_known = result.status === "solved";
    element("outcome").textContent = !is_known ? status_words[result.status] ?? result.status
      : `${moves} ${moves === 1 ? "move" : "moves"}${result.is_shortest ? ", the fewest there are" : ", perhaps more than needed"}.` +
        (result.searched_by ? ` Searched by ${result.searched_by.replaceAll("_", " ")}.` : "");
    const figures = [
      ["Expanded", number(statistics.expanded)], ["Generated", number(statistics.generated)], ["Time", seconds(statistics.seconds)],
      ["Expanded / s", short(statistics.expanded / Math.max(statistics.seconds, 1e-6))], ["Memory", bytes(statistics.bytes)],
    ];
    // A quick solution counts nothing, and IDA* stores nothing.
    show_figures(element("figures"), figures.filter(([, value]) => !/^0( |$)/.test(value)));
    show_layers(element("layers"), result.layers, wanted.algorithm);
    if (is_known) {
      solution = result.boards;
      go_to(0);
    }
    element("outcome").scrollIntoView({ block: "nearest" }); // the player may have moved it
  }

  async function compare() {
    set_playing(false);
    const wanted = request();
    if (!takes_heuristic(wanted.algorithm)) wanted.algorithm = "astar";
    const label = choices.board_algorithms.find(({ name }) => name === wanted.algorithm).label;
    const body = element("comparison-table").tBodies[0];
    element("comparison").hidden = true;
    body.replaceChildren();
    element("comparison-chart").replaceChildren();
    const rows = [];
    let is_cancelled = false;
    for (const [index, heuristic] of choices.board_heuristics.entries()) {
      const told = `Comparing by ${label}: ${heuristic.label} …`;
      element("outcome").textContent = told;
      const job = search("search_board", { ...wanted, heuristic: heuristic.name, seconds: 10 }, (statistics) => {
        if (!is_cancelled) element("outcome").textContent = `${told} ${number(statistics.expanded)} expanded`;
      });
      set_running({ cancel() {
        is_cancelled = true;
        job.cancel();
      } });
      const result = await job.done;
      if (is_cancelled) break;
      rows.push({ ...heuristic, index, result, layers: result.layers ?? [] });
      show_rows(body, rows);
    }
    if (!end_running()) return;
    element("outcome").textContent = is_cancelled ? "The comparison was cancelled." : `Compared by ${label}, at most ten seconds each.`;
    show_lines(rows, wanted.algorithm);
  }

  function show_rows(body, rows) {
    element("comparison").hidden = false;
    const most = (of) => Math.max(...rows.map(({ result }) => result.statistics?.[of] ?? 0), 1e-9);
    const measured = (text, share) => {
      const cell = document.createElement("td"), bar = document.createElement("span");
      bar.className = "bar";
      bar.style.width = `${100 * share}%`;
      cell.append(text, bar);
      return cell;
    };
    body.replaceChildren(...rows.map(({ label, index, result }) => {
      const row = document.createElement("tr"), name = document.createElement("th"), color = document.createElement("i"), moves = document.createElement("td");
      name.scope = "row";
      color.style.background = `var(--series-${index})`;
      name.append(color, label);
      const words = { time_limit: "time limit", memory_limit: "memory limit", unsolvable: "none" };
      moves.textContent = result.error ? "error" : result.status === "solved" ? result.boards.length - 1 : words[result.status] ?? result.status;
      row.append(name, moves);
      if (result.statistics) {
        row.append(measured(number(result.statistics.expanded), result.statistics.expanded / most("expanded")),
          measured(seconds(result.statistics.seconds), result.statistics.seconds / most("seconds")));
      }
      return row;
    }));
  }

  function show_lines(rows, algorithm) {
    const series = rows.filter(({ layers }) => layers.length > 0);
    if (!series.length) return;
    const title = `${is_deepening(algorithm) ? "Expansions of each iteration, by its bound" : "Expansions by f = g + h"}; logarithmic`;
    const { figure, svg, x, y } = chart(title, series, true);
    for (const { layers, label, index } of series) {
      const points = layers.map(([f, expanded]) => `${x(f)} ${y(expanded)}`);
      svg.append(drawn("path", { d: `M${points.join("L")}`, fill: "none", stroke: `var(--series-${index})`, "stroke-width": 2 }, drawn("title", {}, label)));
      for (const [f, expanded] of layers) {
        svg.append(drawn("circle", { cx: x(f), cy: y(expanded), r: 3, fill: `var(--series-${index})` }, drawn("title", {}, `${label}, ${f}: ${number(expanded)}`)));
      }
    }
    element("comparison-chart").replaceChildren(figure);
  }

  function scramble() {
    const moves = Number(element("scramble-moves").value);
    begin(library.scramble(board.size, moves, Math.floor(Math.random() * 2 ** 32)));
  }

  function show_hint() {
    element("size-hint").hidden = board.size < 5 || element("algorithm").value === "quick";
  }

  function show_fields() {
    const algorithm = element("algorithm").value;
    element("weight-field").hidden = algorithm !== "weighted_astar";
    element("heuristic").disabled = !takes_heuristic(algorithm);
    show_hint();
  }

  fill_segmented(element("sizes"), [2, 3, 4, 5].map((size) => ({ name: String(size), label: `${size} × ${size}` })), "3", (size) => {
    begin(library.goal(Number(size)));
    scramble();
  });
  fill_select(element("scramble-moves"), [{ name: "10", label: "by 10 moves" }, { name: "30", label: "by 30 moves" }, { name: "60", label: "by 60 moves" }, { name: "-1", label: "at random" }], "-1");
  fill_select(element("algorithm"), choices.board_algorithms, "astar");
  fill_select(element("heuristic"), choices.board_heuristics, "linear_conflict");
  element("algorithm").onchange = show_fields;
  element("tiles").oninput = () => begin(library.parse_board(element("tiles").value), true);
  element("scramble").onclick = scramble;
  element("reset").onclick = () => begin(library.goal(board.size));
  element("solve").onclick = solve;
  element("compare").onclick = compare;
  element("cancel").onclick = cancel;
  element("step").oninput = () => {
    set_playing(false);
    go_to(Number(element("step").value));
  };
  for (const [id, target] of [["to-start", () => 0], ["back", () => step - 1], ["forward", () => step + 1], ["to-end", () => solution.length - 1]]) {
    element(id).onclick = () => {
      set_playing(false);
      go_to(target());
    };
  }
  element("play").onclick = () => {
    if (is_playing()) return set_playing(false);
    if (step + 1 >= solution.length) go_to(0);
    set_playing(true);
  };

  element("watch").onclick = () => {
    go_to(0);
    element("play").focus({ preventScroll: true });
    board_frame.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
    set_playing(true);
  };

  return {
    share: () => ({ board: Array.from(solution.length ? solution[0] : board.tiles).join(" "), algorithm: element("algorithm").value,
      heuristic: element("heuristic").value, weight: element("weight").value }),
    open(parts) {
      for (const id of ["algorithm", "heuristic", "weight"]) {
        const value = parts.get(id);
        const is_there = element(id).options ? [...element(id).options].some((option) => option.value === value) : value > 0;
        if (is_there) element(id).value = value;
      }
      show_fields();
      begin(library.parse_board("8 1 3 4 0 2 7 6 5"));
      if (!parts.has("board")) return;
      element("tiles").value = parts.get("board");
      begin(library.parse_board(element("tiles").value), true);
    },
  };
})();
