// node walk.mjs CHROMIUM PAGE MODULES PICTURES: goes through the playground by mouse, and takes a picture of each step, in three
// widths, light and dark. tests/playground/run does so for NPUZZLE_WALK. The pictures are to be looked at by a person.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { start_browser } from "../support/browser.mjs";

const [chromium_path, file, modules, pictures] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });

const { test, finish } = await start_browser(chromium_path, modules, {
    viewport: { width: 1300, height: 900 },
    timeout: 60000,
    may_ask_for: (request) => request.isNavigationRequest() || /^(data|blob):/.test(request.url()),
});

async function walk(page, take) {
    const button = (name) => page.getByRole("button", { name, exact: true });
    const outcome = (wanted) => page.waitForFunction((text) => new RegExp(text).test(document.querySelector("#outcome").textContent), wanted);
    const say = (wanted) => page.waitForFunction((text) => new RegExp(text).test(document.querySelector("#panels .say").textContent), wanted);

    /// Presses, goes along places that are parts of an element, and lets go.
    async function drag(element, places, midway = async () => {}) {
        await element.scrollIntoViewIfNeeded();
        const box = await element.boundingBox();
        const go = ([x, y], steps) => page.mouse.move(box.x + box.width * x, box.y + box.height * y, { steps });
        await go(places[0], 5);
        await page.mouse.down();
        for (const place of places.slice(1)) await go(place, 12);
        await midway();
        await page.mouse.up();
        await page.waitForTimeout(400);
    }
    const press = (name) => drag(button(name), [[0.5, 0.5]]);

    await take("opened");
    await drag(page.getByRole("button", { name: /^Tile 2,/ }), [[0.5, 0.5], [-0.3, 0.5]], () => take("dragging"));
    assert.equal(await page.locator("#tiles").inputValue(), "8 1 3 4 2 0 7 6 5");
    await page.getByRole("textbox", { name: /Tiles/ }).fill("15 14 8 12 10 11 13 9 2 6 5 1 3 7 4 0");
    await page.locator("#algorithm").selectOption("ida_star");
    await page.locator("#heuristic").selectOption("zero");
    await press("Solve");
    await outcome("^Searching: .* expanded");
    await take("searching");
    await press("Cancel");
    await outcome("^Cancelled$");
    await take("cancelled");
    await page.getByRole("textbox", { name: /Tiles/ }).fill("14 12 15 10 1 13 4 6 3 7 2 0 8 5 9 11");
    await page.locator("#algorithm").selectOption("astar");
    await page.locator("#heuristic").selectOption("manhattan");
    await press("Solve");
    await outcome("^53 moves");
    await take("solved");
    await press("Play the solution");
    await page.waitForFunction(() => Number(document.querySelector("#step").value) >= 4);
    await take("playing");
    await press("Pause");
    await take("paused");
    await press("Compare heuristics");
    await outcome("^Comparing by A\\*: .* expanded$");
    await take("comparing");
    await press("Cancel");
    await outcome("^The comparison was cancelled");
    await take("comparison-cancelled");

    await page.getByRole("tab", { name: "Map" }).click();
    await say("^Found");
    await take("map");
    const map = page.locator("#panels canvas").first();
    await drag(map, [[0.5, 0.1], [0.5, 0.5], [0.3, 0.9]], () => take("painting-walls"));
    await page.getByRole("radio", { name: "Weight 5" }).check();
    await drag(map, [0, 1, 2, 3, 4, 5].flatMap((i) => [[0.6 + 0.03 * i, 0.2], [0.6 + 0.03 * i, 0.6]]));
    await say("^Found");
    await take("weights");
    await press("To the start");
    await press("Play");
    await page.waitForFunction(() => Number(document.querySelector("#expansions").value) > 50);
    await take("map-playing");
    await press("Pause");
    await press("One expansion forward");
    await take("map-step");
    await page.getByRole("checkbox", { name: "Two side by side" }).check();
    await page.waitForTimeout(500);
    await take("two");
    await press("Copy link");
    await take("shared");
    await page.getByRole("tab", { name: "Benchmark" }).click();
    await press("Run");
    await page.waitForFunction(() => document.querySelectorAll("#measured tbody tr").length === 5);
    await take("benchmark");
}

for (const colorScheme of ["light", "dark"]) {
    for (const [width, height] of [[390, 844], [768, 1024], [1300, 900]]) {
        const options = { colorScheme, viewport: { width, height }, permissions: ["clipboard-read", "clipboard-write"] };
        await test(`a walk at ${width} pixels, ${colorScheme}`, options, async (page) => {
            await page.goto(pathToFileURL(path.resolve(file)).href);
            await page.waitForFunction(() => document.documentElement.dataset.theme && document.querySelector("#version").textContent);
            let count = 0;
            await walk(page, async (name) => {
                const number = String(++count).padStart(2, "0");
                await page.screenshot({ path: path.join(pictures, `${width}-${colorScheme}-${number}-${name}.png`) });
            });
        });
    }
}
await finish();
