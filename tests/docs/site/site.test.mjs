// node site.test.mjs CHROMIUM SITE MODULES: opens the site of the documentation from files in a headless Chromium.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { start_browser } from "../../support/browser.mjs";

const [chromium_path, site, modules] = process.argv.slice(2);

const widths = [390, 768, 1300];
const schemes = ["light", "dark"];

// What a newcomer types, and the page that is to be the first answer.
const queries = {
    "time limit": "docs/limits.html",
    "word ladder": "docs/examples.html",
    "custom heuristic": "docs/heuristic.html",
    "out of memory": "docs/memory.html",
    install: "docs/packages.html",
    "15 puzzle": "docs/puzzles.html",
    unsolvable: "docs/puzzles.html",
    threads: "docs/parallel.html",
    "grid map": "docs/maps/grid_map.html",
    weighted: "docs/good-paths.html",
    astar: "docs/cheapest-paths.html",
    weighted_astar: "docs/good-paths.html",
    k_shortest_paths: "reference/search/k_shortest_paths.hpp.html",
    "Boost.Graph": "docs/maps/graph.html",
    "my own heuristic": "docs/heuristic.html",
    "hello world": "docs/start.html",
    "my own problem": "docs/problem.html",
    "how to compile": "docs/packages.html",
    "shortest path": "docs/algorithms.html",
    "print the solution": "docs/puzzles.html",
    "command line": "docs/program.html",
    "how fast": "docs/performance.html",
    "a star": "docs/cheapest-paths.html",
    timeout: "docs/limits.html",
    maze: "docs/maps/grid_map.html",
    memory: "docs/memory.html",
};

// One page of each kind, and those with the widest tables and the longest lines of code.
const looked_at = [
    "index.html",
    "docs/index.html",
    "docs/limits.html",
    "docs/algorithms.html",
    "docs/puzzles.html",
    "docs/headers.html",
    "benchmarks/RESULTS.html",
    "reference/search/astar.hpp.html",
    "reference/search/core/limits.hpp.html",
    "reference/puzzle/board.hpp.html",
];

const { test, finish } = await start_browser(chromium_path, modules, {
    viewport: { width: 1300, height: 900 },
    timeout: 30000,
    may_ask_for: (request) => /^(file|data|about|blob):/.test(request.url()),
});

const address = (file) => pathToFileURL(path.resolve(site, file)).href;
const open = (page, file) => page.goto(address(file));

for (const [query, first] of Object.entries(queries)) {
    await test(`search for "${query}"`, {}, async (page) => {
        await open(page, "docs/puzzles.html");
        await page.keyboard.press("f");
        await page.getByText("Type to start searching").waitFor();
        await page.keyboard.type(query);
        const answer = page.locator(".md-search-result__item > a").first();
        await answer.waitFor();
        assert.equal((await answer.getAttribute("href")).split(/[?#]/)[0], address(first));
    });
}

await test("no page is wider than the window, and no guide has lines of code that are cut off", {}, async (page) => {
    // Without what is searched, a page loads in a tenth of the time.
    const body = "var __search = { index: Promise.resolve({ config: { lang: ['en'], separator: ' ' }, docs: [] }) };";
    await page.route("**/search_index.js", (route) => route.fulfill({ contentType: "text/javascript", body }));
    const files = readdirSync(site, { recursive: true }).filter((file) => file.endsWith(".html") && file !== "404.html");
    const reference = files.filter((file) => file.startsWith("reference"));
    // Pages of the reference are all made in one way.
    const some = files.filter((file) => /^(docs|benchmarks|[A-Za-z]+\.html)/.test(file)).concat(reference.filter((_, i) => i % 5 === 0));
    assert.ok(some.length > 50, `${some.length}`);
    for (const file of some) {
        await open(page, file);
        for (const width of widths) { // the widest at last
            await page.setViewportSize({ width, height: 900 });
            const measure = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            let wide = await measure();
            if (wide > 0) { // the page may not have its new width yet
                await page.waitForTimeout(1000);
                wide = await measure();
            }
            assert.ok(wide <= 0, `${file} is ${wide} pixels wider than ${width}`);
        }
        if (reference.includes(file)) continue;
        const cut = await page.locator("pre > code").evaluateAll((all) =>
            all.filter((code) => code.scrollWidth > code.clientWidth).map((code) => code.textContent.split("\n").find((line) => line.length > 107)));
        assert.ok(cut.every(Boolean), `${file} has code that is cut off`);
    }
});

/// The texts of a page whose contrast is less than what WCAG asks: 4.5, or 3 where they are large.
function pale_texts() {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (color) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = (top, bottom) => top.slice(0, 3).map((value, i) => value * top[3] + bottom[i] * (1 - top[3])).concat(1);
    const luminance = (color) => {
        const [r, g, b] = color.map((value) => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const backdrop = (element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
        return layers.reverse().reduce((bottom, top) => over(top, bottom), [255, 255, 255, 1]);
    };
    const pale = new Set();
    const texts = document.createTreeWalker(document.querySelector(".md-container"), NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const element = text.parentElement;
        const style = getComputedStyle(element);
        const is_shown = element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !element.closest(".headerlink");
        if (!text.data.trim() || !is_shown) continue;
        const bottom = backdrop(element);
        const [a, b] = [luminance(over(rgba(style.color), bottom)), luminance(bottom)];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const size = parseFloat(style.fontSize);
        const is_large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        if (contrast < (is_large ? 3 : 4.5)) pale.add(`"${text.data.trim().slice(0, 30)}" ${contrast.toFixed(2)} (${element.className || element.tagName})`);
    }
    return [...pale];
}

for (const colorScheme of schemes) {
    await test(`texts can be read when it is ${colorScheme}`, { colorScheme }, async (page) => {
        for (const file of looked_at) {
            await open(page, file);
            assert.deepEqual(await page.evaluate(pale_texts), [], file);
        }
    });
}

await test("the code of the first page is seen whole, and no button lies on code", {}, async (page) => {
    const lies_beside = (button) => {
        const [own, block, code] = [button, button.closest("pre"), button.closest("pre").querySelector("code")].map((node) => node.getBoundingClientRect());
        return own.left >= code.right && own.right <= block.right;
    };
    for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        for (const file of ["index.html", "docs/start.html"]) {
            await open(page, file);
            assert.ok(await page.locator("pre button").first().evaluate(lies_beside), `${file}, ${width}`);
        }
    }
    await open(page, "index.html");
    const cut = await page.locator("pre > code").evaluateAll((all) => all.map((code) => code.scrollWidth - code.clientWidth));
    assert.deepEqual(cut.filter((pixels) => pixels > 0), []);
});

await test("on a phone, paths of headers are broken between words only", { viewport: { width: 390, height: 800 } }, async (page) => {
    await open(page, "docs/headers.html");
    const broken = await page.locator("code.path").evaluateAll((all) => all.flatMap((code) => [...code.childNodes])
        .filter((part) => part.nodeType === Node.TEXT_NODE).filter((part) => {
            const range = document.createRange();
            range.selectNode(part);
            return range.getClientRects().length > 1;
        }).map((part) => part.data));
    assert.deepEqual(broken, []);
});

await test("the reference of a header leads to its guide", {}, async (page) => {
    await open(page, "reference/puzzle/solver.hpp.html");
    const link = page.locator("article p a:not(.name)").first();
    assert.match(await link.getAttribute("href"), /puzzles\.html#solver$/);
});

await test("names lead to the reference", {}, async (page) => {
    await open(page, "docs/limits.html");
    await page.locator("pre a.name", { hasText: "astar" }).first().click();
    await page.waitForURL(`${address("reference/search/astar.hpp.html")}#astar`);
    await open(page, "docs/limits.html");
    await page.locator("p a.name, li a.name", { hasText: "default_memory_limit" }).first().click();
    await page.waitForURL(`${address("reference/search/memory/available_memory.hpp.html")}#default_memory_limit`);
});

await test("every name that the module exports has a place in the reference", {}, async () => {
    const module_file = new URL("../../../packaging/module/npuzzle.cppm", import.meta.url);
    const names = [...readFileSync(module_file, "utf8").matchAll(/^ *using (?:\w+::)*(\w+);/gm)].map((found) => found[1]);
    assert.ok(names.length > 300, `${names.length}`);
    const folder = path.join(site, "reference");
    const pages = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".html"));
    const places = pages.flatMap((file) => [...readFileSync(path.join(folder, file), "utf8").matchAll(/ id="(?:[\w-]+::)*(\w+)"/g)]);
    const known = new Set(places.map((found) => found[1]));
    assert.deepEqual(names.filter((name) => !known.has(name)), []);
});

console.log(`index of the search: ${readFileSync(path.resolve(site, "search/search_index.js")).length} bytes`);
await finish();
