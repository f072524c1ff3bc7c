/// "Your solver": what the A* of the classical assignment does with a board, beside the library.
const yours = (() => {
  const examples = [
    ["4 moves", "3\n0 1 3\n4 2 5\n7 8 6"], ["20 moves; 22 if the blank counts", "3\n4 7 3\n5 6 8\n1 2 0"],
    ["31 moves, the most for 3 × 3", "3\n8 6 7\n2 5 4\n3 0 1"], ["4 × 4, 40 moves", "4\n 9 10  1  5\n 6  7  3  8\n14 13  4 12\n 2 11 15  0"],
    ["4 × 4, 58 moves", "4\n10  6  2 14\n 4 15  1 13\n12  9  5 11\n 3  0  8  7"], ["No solution", "3\n1 2 3\n4 5 6\n8 7 0"],
  ];
  const round_up = (value, unit) => Math.ceil(value / unit) * unit;
  /// Bytes of a node in the queue with its board of size n, and of an entry of the closed list.
  const languages = {
    java: { label: "Java", node: (n) => 52 + (n + 1) * round_up(16 + 4 * n, 8), closed: () => 40,
      what: "an object with int[n][n], moves, priority and previous, in a PriorityQueue, and a HashSet of boards (64-bit JVM, compressed references)" },
    python: { label: "Python", node: (n) => 188 + 8 * n * n, closed: () => 70,
      what: "an object with a tuple of tiles, moves, priority and parent, in a tuple on a heapq list, and a set of boards (CPython 3)" },
    cpp: { label: "C++", node: (n) => 56 + round_up(24 * n + 8, 16) + 32 * n, closed: (n) => 64 + round_up(24 * n + 8, 16) + 32 * n,
      what: "a struct with vector<vector<int>>, moves, priority and a pointer, made by new, and a set of boards that are copied (64-bit Linux)" },
  };
  const tie_breaks = ["none: as the heap has it", "first in, first out", "last in, first out", "least h, greatest g"];
  const overestimates = [
    ["Manhattan", {}], ["Manhattan, the blank counted", { is_blank_counted: 1 }], ["Manhattan × 2", { weight: 2 }], ["Manhattan × 3", { weight: 3 }],
    ["Hamming × 2", { is_hamming: 1, weight: 2 }], ["Hamming × 3", { is_hamming: 1, weight: 3 }],
  ];
  let board = null, job = null, counted = []; // rows of the first table

  /// Why a board can be solved or not. The verdict itself is the library's.
  function parity({ size, tiles, is_solvable }) {
    const order = Array.from(tiles).filter((tile) => tile > 0);
    let inversions = 0;
    order.forEach((tile, at) => (inversions += order.slice(at + 1).filter((later) => later < tile).length));
    const row = Math.floor(tiles.indexOf(0) / size);
    const odd = (value) => (value % 2 ? "odd" : "even");
    const verdict = is_solvable ? "so it can be solved" : "so it cannot be solved, but its twin, with two tiles exchanged, can";
    const why = size % 2 ? `A move along a row leaves the inversions as they are, and one along a column changes them by an even number. The goal has 0, this board ${inversions}, which is ${odd(inversions)}: ${verdict}.`
      : `Each move keeps inversions + row of the blank (from 0) odd or even. The goal has 0 + ${size - 1}, which is ${odd(size - 1)}; this board ${inversions} + ${row} = ${inversions + row}, which is ${odd(inversions + row)}: ${verdict}.`;
    return { inversions, why };
  }

  const cells = (texts) => texts.map((text, at) => made(at ? "td" : "th", at ? {} : { scope: "row" }, text));

  function show_counts() {
    const { label, node, closed, what } = languages[element("yours-language").value];
    element("yours-counts").tBodies[0].replaceChildren(...counted.map(({ name, is_ours, taken_out, put_in, memory, is_stopped, ...rest }) => {
      const at_least = is_stopped ? "≥ " : "";
      const used = memory ?? put_in * node(board.size) + rest.closed * closed(board.size);
      return made("tr", { className: is_ours ? "ours" : "" }, ...cells([name, at_least + number(taken_out), at_least + number(put_in), at_least + bytes(used)]));
    }));
    element("yours-assumption").textContent = board && counted.length
      ? `Memory: ${label}, ${node(board.size)} bytes for a node and ${closed(board.size)} for a board on the closed list: ${what}. npuzzle's is measured.` : "";
  }

  function show_steps() {
    const { steps } = library.search_textbook({ tiles: board.tiles, is_hamming: Number(element("yours-heuristic").value === "hamming"), steps: 5, max_put_in: 100 }, null);
    const text = (tiles) => Array.from(tiles, (tile, at) => String(tile).padStart(board.size > 3 ? 2 : 1) + ((at + 1) % board.size ? " " : "\n")).join("");
    element("yours-steps").replaceChildren(...steps.map(({ size, entries }, step) => made("li", {},
      `Step ${step}: ${size} ${size === 1 ? "node" : "nodes"} in the queue${size > entries.length ? `, the first ${entries.length} of them` : ""}`,
      made("div", { tabIndex: 0, ariaLabel: `Queue at step ${step}` }, ...entries.map((entry) =>
        made("pre", {}, `priority ${entry.priority}\nmoves    ${entry.moves}\nh        ${entry.estimate}\n\n${text(entry.tiles)}`))))));
  }

  /// Shows what the text holds, as far as no search is needed.
  function begin() {
    stop();
    board = library.parse_board(element("yours-tiles").value);
    const fault = board.error ? board_fault(board) : "";
    if (fault) board = null;
    counted = [];
    element("yours-fault").textContent = fault;
    element("yours-outcome").textContent = fault ? "The text is not a board." : board.is_solvable ? "" : "Without a solution there is nothing to count: A* would go through every board that can be reached, and without a closed list it never ends.";
    disable(["yours-count"], !board?.is_solvable, "yours-tiles");
    element("yours-wrong").hidden = true;
    element("yours-trace").hidden = !board?.is_solvable;
    show_counts();
    const known = board && parity(board);
    element("yours-parity").textContent = known?.why ?? "";
    show_figures(element("yours-facts"), !board ? [] : [["Solvable", board.is_solvable ? "yes" : "no"], ["Inversions", known.inversions],
      ["Hamming", library.estimate(board.tiles, "hamming")], ["Manhattan", library.estimate(board.tiles, "manhattan")]]);
    if (board?.is_solvable) show_steps();
  }

  function stop() {
    job?.cancel();
    job = null;
    const had_focus = document.activeElement === element("yours-cancel");
    element("yours-cancel").hidden = true;
    element("yours-count").hidden = false;
    if (had_focus) element("yours-count").focus();
  }

  /// One search after the other; null where the board has changed, or the searches were cancelled.
  async function run(call, request, told) {
    element("yours-outcome").textContent = `Counting: ${told} …`;
    const mine = (job = search(call, { tiles: board.tiles, ...request }));
    const result = await mine.done;
    if (job !== mine) return null;
    if (result.error) element("yours-outcome").textContent = result.error;
    return result.error ? null : result;
  }

  async function count() {
    const heuristic = element("yours-heuristic").value, max_put_in = Number(element("yours-limit").value);
    counted = [];
    element("yours-wrong").hidden = true;
    element("yours-count").hidden = true;
    element("yours-cancel").hidden = false;
    element("yours-cancel").focus();
    for (const [algorithm, label] of [["astar", `A*, ${element("yours-heuristic").selectedOptions[0].text}`], ["solver", "automatic"]]) {
      const result = await run("search_board", { algorithm, heuristic, weight: 1, seconds: 20 }, `npuzzle, ${label}`);
      if (!result) return stop();
      const { expanded, stored, bytes: memory } = result.statistics;
      counted.push({ name: `npuzzle, ${label}`, is_ours: true, taken_out: expanded, put_in: stored, memory, is_stopped: result.status !== "solved", moves: result.boards.length - 1 });
    }
    const shortest = Math.max(...counted.map(({ moves }) => moves)); // both are optimal; -1 if none was found
    const ours = counted.splice(0);
    for (const has_closed_list of [0, 1]) {
      for (const [tie_break, label] of tie_breaks.entries()) {
        const name = `${has_closed_list ? "Closed list" : "Parent check"}; ${label}`;
        const result = await run("search_textbook", { has_closed_list, tie_break, is_hamming: Number(heuristic === "hamming"), max_put_in }, name);
        if (!result) return stop();
        counted.push({ name, ...result, is_stopped: result.moves < 0 });
        show_counts();
      }
    }
    counted.push(...ours);
    show_counts();
    const body = element("yours-lengths").tBodies[0];
    body.replaceChildren();
    for (const [name, request] of overestimates) {
      const result = await run("search_textbook", { has_closed_list: 1, max_put_in, ...request }, name);
      if (!result) return stop();
      const is_found = result.moves >= 0;
      body.append(made("tr", {}, ...cells([name, is_found ? result.moves : "stopped", is_found && shortest >= 0 ? result.moves - shortest : "?", (is_found ? "" : "≥ ") + number(result.taken_out)])));
      element("yours-wrong").hidden = false;
    }
    element("yours-outcome").textContent = shortest < 0 ? "npuzzle found no shortest solution within 20 seconds." : `The shortest solution has ${shortest} ${shortest === 1 ? "move" : "moves"}.`;
    stop();
  }

  fill_select(element("yours-language"), Object.entries(languages).map(([name, { label }]) => ({ name, label })), "java");
  fill_select(element("yours-example"), [{ name: "", label: "choose …" }, ...examples.map(([label, name]) => ({ name, label }))], "");
  element("yours-tiles").oninput = () => {
    element("yours-example").value = "";
    begin();
  };
  element("yours-example").onchange = ({ target }) => {
    if (target.value) element("yours-tiles").value = target.value;
    begin();
  };
  element("yours-language").onchange = show_counts;
  element("yours-heuristic").onchange = element("yours-limit").onchange = begin;
  element("yours-count").onclick = count;
  element("yours-cancel").onclick = () => {
    stop();
    element("yours-outcome").textContent = "Cancelled";
  };

  return {
    share: () => ({ board: element("yours-tiles").value.trim().replace(/\s+/g, " "), heuristic: element("yours-heuristic").value }),
    open(parts) {
      element("yours-heuristic").value = parts.get("heuristic") === "hamming" ? "hamming" : "manhattan";
      element("yours-tiles").value = parts.get("board") ?? examples[1][1];
      begin();
    },
  };
})();
