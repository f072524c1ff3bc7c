// node playground.test.mjs CHROMIUM PAGE MODULES: opens the playground in a headless Chromium and uses it as a person would.
// In the environment, NPUZZLE_SCREENSHOTS is a folder into which the screenshots of the documentation are taken anew.

import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { start_browser } from "../support/browser.mjs";

const [chromium_path, file, modules] = process.argv.slice(2);
const { NPUZZLE_SCREENSHOTS: images } = process.env;
const address = pathToFileURL(path.resolve(file)).href;

const { test: run_test, finish } = await start_browser(chromium_path, modules, {
    viewport: { width: 1300, height: 900 },
    timeout: 60000,
    may_ask_for: (request) => request.isNavigationRequest() || /^(data|blob):/.test(request.url()), // its own workers
});

/// Runs a test on a page of its own, opened by a link.
const test = (name, link, options, body) =>
    run_test(name, options, async (page) => {
        if (options.javaScriptEnabled !== false) await open(page, link);
        await body(page);
    });

/// Opens a link, and waits until the page can be used.
async function open(page, link) {
    await page.goto("about:blank");
    await page.goto(`${address}#${link}`);
    await page.waitForFunction(() => document.documentElement.dataset.theme && document.querySelector("#version").textContent);
    if (link.includes("tab=map")) await traced(page);
}

const button = (page, name) => page.getByRole("button", { name, exact: true });
const text = (page, selector) => page.locator(selector).innerText();

/// The board as it is drawn: the tiles that lie within each cell.
async function board(page) {
    return page.evaluate(async () => {
        await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})));
        const frame = document.querySelector("#board > div").getBoundingClientRect();
        const tiles = [...document.querySelectorAll(".tile")];
        const size = Math.round(Math.sqrt(tiles.length + 1));
        const cells = Array(size * size).fill(0);
        for (const tile of tiles) {
            const box = tile.getBoundingClientRect();
            const column = ((box.left - frame.left) * size) / frame.width, row = ((box.top - frame.top) * size) / frame.height;
            if (Math.abs(column - Math.round(column)) + Math.abs(row - Math.round(row)) > 0.02) return `${tile.textContent} is on its way`;
            cells[Math.round(row) * size + Math.round(column)] = Number(tile.textContent);
        }
        return cells.join(" ");
    });
}

async function solve(page) {
    await button(page, "Solve").click();
    await page.waitForFunction(() => !document.querySelector("#solve").hidden);
    return text(page, "#outcome");
}

/// Figures of a list, by their names.
async function figures(page, selector) {
    return Object.fromEntries(await page.locator(`${selector} div`).evaluateAll((groups) =>
        groups.map((group) => [group.querySelector("dt").textContent, group.querySelector("dd").textContent])));
}

const count = (formatted) => Number(formatted.replaceAll(",", ""));
const start_14 = "8 1 3 4 0 2 7 6 5"; // fourteen moves, by breadth-first search
const board_link = (tiles, more = "") => `tab=puzzle&board=${tiles.replaceAll(" ", "+")}${more}`;

await test("a board is solved, and its solution is played", board_link(start_14), {}, async (page) => {
    assert.equal(await board(page), start_14);
    assert.equal(await solve(page), "14 moves, the fewest there are.");
    assert.equal(await text(page, "#step-text"), "Move 0 of 14");
    const seen = [await board(page)];
    for (let move = 1; move <= 14; ++move) {
        await button(page, "One move forward").click();
        seen.push(await board(page));
        const [from, to] = [seen[move - 1].split(" "), seen[move].split(" ")];
        const changed = from.flatMap((tile, cell) => (tile === to[cell] ? [] : [cell]));
        assert.equal(changed.length, 2);
        assert.ok(changed[1] - changed[0] === 3 || (changed[1] - changed[0] === 1 && changed[1] % 3 !== 0));
        assert.ok(changed.some((cell) => to[cell] === "0"));
    }
    assert.equal(seen[14], "1 2 3 4 5 6 7 8 0");
    await button(page, "One move back").click();
    assert.equal(await board(page), seen[13]);
    await button(page, "To the start").click();
    assert.equal(await board(page), start_14);
    await page.getByRole("combobox", { name: "Moves per second" }).selectOption("16");
    await button(page, "Play").click();
    await page.waitForFunction(() => document.querySelector("#step").value === "14");
    await button(page, "Play").waitFor(); // it has stopped
    assert.equal(await board(page), seen[14]);
});

await test("each algorithm solves it, with each heuristic", board_link(start_14), {}, async (page) => {
    const names = (id) => page.locator(`#${id} option`).evaluateAll((all) => all.map((option) => option.value));
    for (const algorithm of await names("algorithm")) {
        await page.locator("#algorithm").selectOption(algorithm);
        const is_chosen = await page.locator("#heuristic").isEnabled();
        for (const heuristic of is_chosen ? await names("heuristic") : ["none"]) {
            if (is_chosen) await page.locator("#heuristic").selectOption(heuristic);
            const outcome = await solve(page);
            const is_optimal = !["weighted_astar", "greedy", "quick"].includes(algorithm);
            assert.match(outcome, is_optimal ? /^14 moves, the fewest/ : /^\d+ moves, perhaps more/, `${algorithm}, ${heuristic}`);
            assert.ok(parseInt(outcome) >= 14);
        }
    }
});

await test("heuristics are compared", board_link(start_14), {}, async (page) => {
    await button(page, "Compare heuristics").click();
    await page.locator("#comparison-chart svg").waitFor();
    const rows = await page.locator("#comparison-table tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.equal(rows.length, 6);
    assert.deepEqual(new Set(rows.map((row) => row[1])), new Set(["14"]));
    const [zero, hamming, manhattan] = rows.map((row) => count(row[2]));
    assert.ok(zero > hamming && hamming > manhattan && manhattan > 14);
    // All the layers of a heuristic together are its expansions.
    const expanded = await page.locator("#comparison-chart circle title").allTextContents();
    const total = expanded.filter((title) => title.startsWith("Hamming")).reduce((sum, title) => sum + count(title.split(": ")[1]), 0);
    assert.equal(total, hamming);
});

await test("boards are typed and pasted", board_link(start_14), {}, async (page) => {
    const field = page.getByRole("textbox", { name: /Tiles/ });
    await field.fill("4\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 15 14 0\n");
    assert.equal(await board(page), "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0");
    assert.match(await text(page, "#tiles-fault"), /cannot be reached/);
    assert.equal(await solve(page), "No solution");
    await field.fill("1 2 3 4 5 6 7 8 8");
    assert.match(await text(page, "#tiles-fault"), /^Tile 8 stands twice: as tile number 8 and as number 9 of 9$/);
    await field.fill("1 2 3 4 5 0 7 8 6");
    assert.equal(await text(page, "#tiles-fault"), "");
    assert.match(await solve(page), /^1 move,/);
    // What is no board cannot be solved, and neither can the one before it.
    await field.fill("1 2 3 4 5 6 7 0 8");
    assert.match(await solve(page), /^1 move,/);
    await field.fill("1 2 3");
    assert.equal(await page.locator("#tiles-fault").textContent(), "a board has 4, 9, 16 or 25 numbers, with 0 for the gap; found 3");
    for (const name of ["Solve", "Compare heuristics"]) assert.ok(await button(page, name).isDisabled());
    await page.getByRole("button", { name: /^Tile 8,/ }).click();
    assert.equal(await field.inputValue(), "1 2 3 4 5 6 7 8 0");
    assert.ok(await button(page, "Solve").isEnabled());
});

await test("tiles are dragged, tapped, and moved by keys", board_link("1 2 3 4 0 5 7 8 6"), {}, async (page) => {
    const middle = async (tile) => {
        const box = await page.getByRole("button", { name: new RegExp(`^Tile ${tile},`) }).boundingBox();
        return [box.x + box.width / 2, box.y + box.height / 2, box.width];
    };
    const [x, y, side] = await middle(5);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - side * 0.8, y + 3, { steps: 5 });
    await page.mouse.up();
    assert.equal(await board(page), "1 2 3 4 5 0 7 8 6");
    await page.locator("#board").focus();
    await page.keyboard.press("ArrowUp");
    assert.equal(await board(page), "1 2 3 4 5 6 7 8 0");
    assert.equal(await page.getByRole("group", { name: "Board: 1 2 3; 4 5 6; 7 8 gap" }).count(), 1);
    await page.getByRole("button", { name: /^Tile 7,/ }).click(); // two tiles slide
    assert.equal(await board(page), "1 2 3 4 5 6 0 7 8");
    await page.getByRole("button", { name: /^Tile 3,/ }).click(); // not in line with the gap
    assert.equal(await board(page), "1 2 3 4 5 6 0 7 8");
});

await test("a long search is cancelled, while the page goes on", board_link("15 14 8 12 10 11 13 9 2 6 5 1 3 7 4 0", "&algorithm=ida_star&heuristic=zero"), {}, async (page) => {
    await button(page, "Solve").click();
    await page.waitForFunction(() => /^Searching: [\d,]{5,} expanded, at f = \d+/.test(document.querySelector("#outcome").textContent));
    const frames = await page.evaluate(() => new Promise((resolve) => {
        let seen = 0;
        const began = performance.now();
        const frame = () => (performance.now() - began > 500 ? resolve(seen) : (++seen, requestAnimationFrame(frame)));
        frame();
    }));
    assert.ok(frames >= 5, `${frames} frames in half a second`);
    await button(page, "Cancel").click();
    assert.equal(await text(page, "#outcome"), "Cancelled");
    assert.ok(count((await figures(page, "#figures")).Expanded) > 1000);
    await page.getByRole("textbox", { name: /Tiles/ }).fill("1 2 3 4 5 6 7 0 8");
    assert.match(await solve(page), /^1 move,/);
});

/// The control that has the focus.
const focused = (page) => page.evaluate(() => document.activeElement.id);

await test("on a phone, the solution is played where it is seen", board_link(start_14), { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
    assert.ok(await button(page, "Play the solution").isHidden());
    await button(page, "Solve").tap();
    const is_in_sight = (selector) => page.locator(selector).evaluate((node) => {
        const box = node.getBoundingClientRect();
        return box.height > 0 && box.top >= -1 && box.bottom <= innerHeight + 1;
    });
    await button(page, "Play the solution").waitFor();
    assert.ok((await is_in_sight("#outcome")) && (await is_in_sight("#watch")));
    assert.ok(!(await is_in_sight("#board")));
    await button(page, "Play the solution").tap();
    await page.waitForFunction(() => document.querySelector("#step").value === "14");
    assert.ok((await is_in_sight("#board")) && (await is_in_sight("#player")));
    assert.equal(await board(page), "1 2 3 4 5 6 7 8 0");
    await page.getByRole("button", { name: /^Tile 8,/ }).tap(); // another board has no solution yet
    assert.ok(await button(page, "Play the solution").isHidden());
});

// Maps. An oracle that shares nothing with the library: Bellman-Ford, on a map of 9 by 5.
const small_map = {
    width: 9, height: 5, start: 9, goal: 44,
    rows: ["....#....", "..3.#.5..", ".23.#.55.", "....#....", ".......2."],
};
const small_cells = small_map.rows.join("").replace(/\./g, "o").replace(/#/g, "x").replace(/\d/g, (digit) => "xobcdefghi"[digit]);
const map_link = (algorithms, more = "") => `tab=map&size=9x5&cells=${small_cells}&start=9&goal=44&algorithms=${algorithms}&diagonals=1${more}`;

const weight_of_sign = (sign) => (sign === "#" ? 0 : sign === "." ? 1 : Number(sign));

function least_cost(diagonals, weight_of = weight_of_sign, goal = small_map.goal) {
    const { width, height, start, rows } = small_map;
    const weight = rows.join("").split("").map(weight_of);
    const cost = weight.map((_, cell) => (cell === start ? 0 : Infinity));
    for (let round = 0; round < cost.length; ++round) {
        for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) for (let dy = -1; dy <= 1; ++dy) for (let dx = -1; dx <= 1; ++dx) {
            const [from, to, beside, above] = [y * width + x, (y + dy) * width + x + dx, y * width + x + dx, (y + dy) * width + x];
            const is_on = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
            if (!is_on || (!dx && !dy) || (dx && dy && !diagonals) || !weight[from] || !weight[to] || !weight[beside] || !weight[above]) continue;
            cost[to] = Math.min(cost[to], cost[from] + ((dx && dy ? 1.414 : 1) * (weight[from] + weight[to])) / 2);
        }
    }
    return Number(cost[goal].toFixed(2));
}

/// The search is over, and shown to its end.
async function traced(page) {
    await page.waitForFunction(() => document.querySelector("#map-cancel").hidden && /^[\d,]+ of [\d,]+ expansions/.test(document.querySelector("#map-text").textContent));
}

const panel = (number) => `#panels article:nth-child(${number})`;
const path_cost = async (page, number = 1) => Number((await figures(page, panel(number)))["Path cost"]);

await test("each algorithm finds a path, and the optimal ones the cheapest", map_link("astar"), {}, async (page) => {
    const select = page.locator(`${panel(1)} select`);
    const names = await select.locator("option").evaluateAll((all) => all.map((option) => option.value));
    for (const diagonals of [true, false]) {
        await page.getByRole("checkbox", { name: "Diagonal steps" }).setChecked(diagonals);
        await traced(page);
        const best = least_cost(diagonals);
        for (const name of names) {
            await select.selectOption(name);
            await page.waitForFunction(() => /Found|weights/.test(document.querySelector("#panels .say").textContent));
            if (name === "jump_points") {
                assert.match(await text(page, `${panel(1)} .say`), /the cells of the map have weights/);
            } else if (name === "greedy" || name === "weighted_astar") {
                assert.ok((await path_cost(page)) >= best, name);
            } else {
                assert.equal(await path_cost(page), best, name);
            }
        }
    }
    // Jump points, where no cell has a weight.
    await open(page, map_link("jump_points").replace(/[bcdefghi](?=[xobcdefghi]*&start)/g, "o"));
    assert.equal(await path_cost(page), least_cost(true, (sign) => (sign === "#" ? 0 : 1)));
});

await test("a search is watched step by step, and at speed", map_link("dijkstra"), {}, async (page) => {
    const last = Number(await page.getByRole("slider", { name: "Expansions made" }).getAttribute("max"));
    assert.ok(last > 20 && last <= 41); // 41 cells are free
    await button(page, "To the start").click();
    assert.deepEqual(await figures(page, panel(1)), { Expanded: "0", Frontier: "1", Closed: "0", "Path cost": "–" });
    let before = 1;
    for (let made = 1; made <= last; ++made) {
        await button(page, "One expansion forward").click();
        const { Expanded, Frontier, Closed } = await figures(page, panel(1));
        assert.deepEqual([Expanded, Closed], [String(made), String(made)]);
        assert.ok(Number(Frontier) >= before - 1 && Number(Frontier) <= before + 7);
        before = Number(Frontier);
    }
    assert.match(await text(page, `${panel(1)} .say`), /^Found, \d+ steps$/);
    await button(page, "One expansion back").click();
    assert.match(await text(page, `${panel(1)} .say`), /^Column \d, row \d: g [\d.]+, h 0\.0, f [\d.]+$/);
    await button(page, "To the start").click();
    await button(page, "Play").click();
    await page.waitForFunction((end) => Number(document.querySelector("#expansions").value) === end, last);
    await button(page, "Play").waitFor();
});

/// The middle of a cell of a panel's map, on the page.
async function place(page, cell, number = 1) {
    const box = await page.locator(`${panel(number)} canvas`).boundingBox();
    return [box.x + (box.width * ((cell % 9) + 0.5)) / 9, box.y + (box.height * (Math.floor(cell / 9) + 0.5)) / 5];
}

async function stroke(page, cells) {
    await page.mouse.move(...(await place(page, cells[0])));
    await page.mouse.down();
    for (const cell of cells.slice(1)) await page.mouse.move(...(await place(page, cell)), { steps: 3 });
    await page.mouse.up();
    await page.waitForTimeout(50);
    await traced(page);
}

await test("walls and weights are painted, start and goal dragged", map_link("astar"), {}, async (page) => {
    const before = await path_cost(page);
    await stroke(page, [40]); // the gap in the wall
    assert.equal(await text(page, `${panel(1)} .say`), "No solution");
    await stroke(page, [40]); // the same once more takes the wall away
    assert.equal(await path_cost(page), before);
    await page.getByRole("radio", { name: "Weight 9" }).check();
    await stroke(page, [40]);
    assert.ok((await path_cost(page)) > before);
    await page.getByRole("radio", { name: "Erase" }).check();
    await stroke(page, [4, 13, 22, 31, 40]);
    assert.ok((await path_cost(page)) < before);
    await stroke(page, [44, 26, 11]); // the goal, to two cells from the start
    const near = await path_cost(page);
    await stroke(page, [9, 10]);
    assert.ok(near > 0 && (await path_cost(page)) < near);
});

await test("the map is painted by the keyboard", map_link("astar"), {}, async (page) => {
    await page.locator(`${panel(1)} canvas`).focus();
    const press = async (...keys) => {
        for (const key of keys) await page.keyboard.press(key);
        await page.waitForTimeout(50);
    };
    await press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "0");
    await page.waitForFunction(() => document.querySelector("#panels .say").textContent === "No solution");
    await press("g"); // not on a wall
    await press("1", "g");
    await page.waitForFunction(() => /^Found/.test(document.querySelector("#panels .say").textContent));
    assert.equal(await path_cost(page), least_cost(true, weight_of_sign, 40));
});

await test("two algorithms side by side, on the same map", map_link("astar,dijkstra"), {}, async (page) => {
    assert.equal(await path_cost(page, 1), await path_cost(page, 2));
    const [first, second] = [await figures(page, panel(1)), await figures(page, panel(2))];
    assert.ok(count(first.Expanded) < count(second.Expanded));
    await stroke(page, [40]);
    for (const number of [1, 2]) assert.equal(await text(page, `${panel(number)} .say`), "No solution");
});

await test("a search of a map is cancelled, or ends at its limit", map_link("astar"), {}, async (page) => {
    await page.getByRole("combobox", { name: "Size of the map" }).selectOption("36x24");
    await page.getByRole("combobox", { name: "Map", exact: true }).selectOption("trap");
    await traced(page);
    const say = (words) => page.waitForFunction((wanted) => document.querySelector("#panels .say").textContent.startsWith(wanted), words);
    // In one breath: the search may take less time than a person takes to find the button.
    await page.evaluate(() => {
        const select = document.querySelector("#panels select");
        select.value = "ida_star";
        select.dispatchEvent(new Event("change"));
        document.querySelector("#map-cancel").focus();
        document.querySelector("#map-cancel").click();
    });
    await say("Cancelled");
    assert.equal(await focused(page), "map-play");
    await page.locator(`${panel(1)} select`).selectOption("dijkstra");
    await say("Found");
    await page.locator(`${panel(1)} select`).selectOption("ida_star");
    await say("Stopped after 200,000 expansions");
    assert.equal((await figures(page, panel(1))).Expanded, "200,000");
});

await test("a link holds all that is shown", board_link("2 1 3 4 5 6 8 7 0"), {}, async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => {});
    await page.locator("#algorithm").selectOption("weighted_astar");
    await page.locator("#heuristic").selectOption("walking_distance");
    await page.getByRole("spinbutton", { name: "Weight" }).fill("3");
    await button(page, "Copy link").click();
    const link = new URL(page.url()).hash.slice(1);
    await open(page, link);
    assert.equal(await board(page), "2 1 3 4 5 6 8 7 0");
    for (const [id, value] of [["algorithm", "weighted_astar"], ["heuristic", "walking_distance"], ["weight", "3"]]) {
        assert.equal(await page.locator(`#${id}`).inputValue(), value);
    }
    await open(page, map_link("astar,weighted_astar:4"));
    await stroke(page, [1, 2]);
    const shown = await page.evaluate(() => [...document.querySelectorAll("#panels canvas")].map((canvas) => canvas.toDataURL()));
    await button(page, "Copy link").click();
    const map = new URL(page.url()).hash.slice(1);
    assert.notEqual(map, map_link("astar,weighted_astar:4"));
    await open(page, map);
    await page.mouse.move(0, 0);
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("#panels canvas")].map((canvas) => canvas.toDataURL())), shown);
    await open(page, "tab=puzzle&board=1+2");
    assert.equal(await board(page), start_14);
    assert.match(await text(page, "#tiles-fault"), /found 2$/);
    for (const wrong of ["tab=map&size=9x5&cells=40o&start=0&goal=1", "tab=map&size=1e9x1e9&cells=o", "tab=map&size=9x5&cells=99999999999o", "tab=nothing", "tab=puzzle&board=%00&algorithm=x&weight=-1"]) {
        await open(page, wrong);
    }
});

const yours_link = (tiles, more = "") => `tab=yours&board=${tiles.replaceAll(" ", "+")}${more}`;

/// Counts, and reads a table: the cells of each row by the first one.
async function counted(page, id = "yours-counts") {
    return Object.fromEntries(await page.locator(`#${id} tbody tr`).evaluateAll((rows) =>
        rows.map((row) => [...row.cells].map((cell) => cell.textContent)).map(([name, ...cells]) => [name, cells])));
}

async function count_yours(page, end = "The shortest solution") {
    await button(page, "Count").click();
    await page.waitForFunction((words) => document.querySelector("#yours-outcome").textContent.startsWith(words), end, { timeout: 180000 });
    return counted(page);
}

await test("a pasted board is counted as a textbook's solver does", "tab=yours", {}, async (page) => {
    const field = page.getByRole("textbox", { name: /^Board/ });
    await field.fill(`3\n${start_14}\n`);
    assert.deepEqual(await figures(page, "#yours-facts"), { Solvable: "yes", Inversions: "12", Hamming: "5", Manhattan: "10" });
    assert.match(await text(page, "#yours-parity"), /this board 12, which is even: so it can be solved\.$/);
    assert.equal(await page.locator("#yours-steps li").count(), 5);
    assert.match(await text(page, "#yours-steps li:nth-child(2) pre:first-child"), /^priority 10\nmoves +1\nh +9\n/);
    const rows = await count_yours(page);
    assert.equal(await text(page, "#yours-outcome"), "The shortest solution has 14 moves.");
    // By a solver in Java; 114 nodes of 180 bytes.
    assert.deepEqual(rows["Parent check; none: as the heap has it"], ["66", "114", "21 kB"]);
    assert.deepEqual(rows["Closed list; none: as the heap has it"].slice(0, 2), ["78", "131"]);
    assert.equal(Object.keys(rows).length, 10);
    assert.ok(count(rows["npuzzle, A*, Manhattan"][0]) <= count(rows["Closed list; first in, first out"][0]));
    await page.getByRole("combobox", { name: "Memory in" }).selectOption("cpp");
    assert.equal((await counted(page))["Parent check; none: as the heap has it"][2], "27 kB"); // 232 bytes a node
});

await test("a heuristic that overestimates misses the shortest solution", yours_link("4 7 3 5 6 8 1 2 0"), {}, async (page) => {
    await count_yours(page);
    const rows = await counted(page, "yours-lengths");
    assert.deepEqual(rows.Manhattan.slice(0, 2), ["20", "0"]);
    assert.deepEqual(rows["Manhattan, the blank counted"].slice(0, 2), ["22", "2"]);
});

await test("a board without a solution and a text that is none are told", yours_link("1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0"), {}, async (page) => {
    const field = page.getByRole("textbox", { name: /^Board/ });
    assert.equal((await figures(page, "#yours-facts")).Solvable, "no");
    assert.match(await text(page, "#yours-parity"), /this board 1 \+ 3 = 4, which is even: so it cannot be solved, but its twin/);
    assert.ok(await button(page, "Count").isDisabled());
    for (const [tiles, fault] of [["1 2 3 4 5 6 7 8 8", /^Tile 8 stands twice/i], ["1 2 3", /found 3$/]]) {
        await field.fill(tiles);
        assert.match(await text(page, "#yours-fault"), fault);
        assert.equal(await text(page, "#yours-outcome"), "The text is not a board.");
        assert.ok(await button(page, "Count").isDisabled());
        assert.ok(await page.locator("#yours-trace").isHidden());
    }
});

await test("a count stops at its limit, and can be cancelled", yours_link("10 6 2 14 4 15 1 13 12 9 5 11 3 0 8 7"), {}, async (page) => {
    await button(page, "Count").click();
    await page.waitForFunction(() => document.querySelectorAll("#yours-counts tbody tr").length > 0, null, { timeout: 120000 });
    assert.deepEqual((await counted(page))["Parent check; none: as the heap has it"], ["≥ 514,784", "≥ 1,000,000", "≥ 212 MB"]);
    await button(page, "Cancel").click();
    assert.equal(await text(page, "#yours-outcome"), "Cancelled");
    assert.ok(await button(page, "Count").isEnabled());
});

/// How far apart an element's color and that of the ground below it are, as WCAG counts it.
async function contrasts(page) {
    return page.evaluate(() => {
        const parts = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
        const luminance = (rgb) => {
            const [r, g, b] = rgb.slice(0, 3).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground_of = (node) => {
            for (let at = node; at; at = at.parentElement) {
                for (const pseudo of [null, "::before"]) {
                    const color = parts(getComputedStyle(at, pseudo).backgroundColor);
                    if (color.length === 3 || color[3] === 1) return color;
                }
            }
            return [255, 255, 255];
        };
        const found = [];
        for (const node of document.querySelectorAll("main *, header *, footer *")) {
            const has_text = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
            if (!has_text || !node.checkVisibility() || node.disabled || node.closest("svg") || node.closest("option")) continue;
            const [one, other] = [luminance(parts(getComputedStyle(node).color)), luminance(ground_of(node))];
            const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
            if (ratio < 4.5) found.push(`"${node.textContent.trim().slice(0, 30)}" has a contrast of ${ratio.toFixed(2)}`);
        }
        return found;
    });
}

const scene = {
    puzzle: async (page) => {
        await open(page, images ? board_link("14 12 15 10 1 13 4 6 3 7 2 0 8 5 9 11", "&algorithm=ida_star") : board_link(start_14));
        await button(page, "Compare heuristics").click();
        await page.locator("#comparison-chart svg").waitFor();
        await page.locator("#heuristic").selectOption("linear_conflict");
        await solve(page);
        // What a hard board would show.
        if (!images) await page.locator("#comparison-table td").first().evaluate((cell) => (cell.textContent = "memory limit, 1,234,567,890"));
    },
    yours: async (page) => {
        await open(page, images ? yours_link("8 6 7 2 5 4 3 0 1") : yours_link(start_14));
        await count_yours(page);
    },
    map: async (page) => {
        await open(page, "tab=map");
        await page.getByRole("combobox", { name: "Map", exact: true }).selectOption("hills");
        await page.getByRole("checkbox", { name: "Two side by side" }).check();
        await traced(page);
        await page.locator("#expansions").fill("330");
    },
};

const shown_in_guide = ["puzzle-1300-light", "map-1300-dark", "puzzle-390-dark", "map-390-light"];
for (const scheme of ["light", "dark"]) {
    for (const [width, height] of [[390, 844], [768, 1024], [1300, 900]]) {
        const options = { colorScheme: scheme, viewport: { width, height }, hasTouch: width < 1000, isMobile: width < 1000 };
        await test(`it is legible and fits ${width} pixels, ${scheme}`, board_link("1 2 3 4 5 6 7 0 8"), options, async (page) => {
            for (const [name, show] of Object.entries(scene)) {
                await show(page);
                const root = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
                assert.ok(root[0] <= root[1], `${name} is ${root[0]} wide`);
                assert.deepEqual(await contrasts(page), []);
                const small = await page.locator("main button:visible, main select:visible, header button:visible").evaluateAll((all) =>
                    all.filter((control) => Math.min(control.offsetWidth, control.offsetHeight) < 38).map((control) => control.outerHTML));
                assert.deepEqual(small, []);
                if (images && shown_in_guide.includes(`${name}-${width}-${scheme}`)) {
                    await page.evaluate(() => scrollTo(0, 0));
                    await page.waitForTimeout(300);
                    const picture = path.join(images, `playground-${name}-${width}-${scheme}.png`);
                    await page.screenshot({ path: picture, fullPage: width > 1000 });
                }
            }
        });
    }
}

await test("each control has a name", board_link(start_14), {}, async (page) => {
    for (const tab of ["Puzzle", "Map", "Your solver"]) {
        await page.getByRole("tab", { name: tab }).click();
        const nameless = await page.locator("button:visible, select:visible, input:visible, textarea:visible, canvas:visible").evaluateAll((all) =>
            all.filter((control) => !(control.getAttribute("aria-label") ?? control.closest("label")?.textContent ?? control.textContent).trim()).map((control) => control.outerHTML));
        assert.deepEqual(nameless, []);
    }
    await page.getByRole("tab", { name: "Your solver" }).press("ArrowRight");
    assert.equal(await page.getByRole("tab", { name: "Puzzle" }).getAttribute("aria-selected"), "true");
});

await finish();
