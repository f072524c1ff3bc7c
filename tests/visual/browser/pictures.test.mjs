// node pictures.test.mjs CHROMIUM PAGES MODULES [SCREENSHOT]: opens the pages in a headless Chromium and plays them.
// What is on the board is read from where the tiles are drawn, never from the page's own variables.

import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { start_browser } from "../../support/browser.mjs";

const [chromium_path, pages, modules, screenshot] = process.argv.slice(2);

const start = "1 _ 2 4 8 3 5 7 6";
const goal = "1 2 3 4 5 6 7 8 _";
const moves = 11;

const { test: run_test, finish } = await start_browser(chromium_path, modules, {
    viewport: { width: 1000, height: 760 },
    timeout: 30000,
    may_ask_for: (request) => request.isNavigationRequest() || request.url().startsWith("data:"),
});

/// Runs a test on a page of its own, opened on a file.
const test = (name, file, options, body) =>
    run_test(name, options, async (page) => {
        await page.goto(pathToFileURL(path.resolve(pages, file)).href);
        await body(page);
    });

/// The board as it is drawn: the tiles that lie within each cell, once nothing moves any more.
async function board(page) {
    return page.evaluate(async () => {
        await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})));
        const frame = document.querySelector("#cells").getBoundingClientRect();
        const tiles = [...document.querySelectorAll(".tile")];
        const size = Math.round(Math.sqrt(tiles.length + 1));
        const side = frame.width / size;
        const cells = Array(size * size).fill("_");
        for (const tile of tiles) {
            const box = tile.getBoundingClientRect();
            const column = (box.left - frame.left) / side;
            const row = (box.top - frame.top) / side;
            const cell = Math.round(row) * size + Math.round(column);
            const is_off = Math.abs(column - Math.round(column)) > 0.02 || Math.abs(row - Math.round(row)) > 0.02;
            if (is_off || cells[cell] !== "_") return `tile ${tile.textContent} lies in no cell of its own`;
            cells[cell] = tile.textContent;
        }
        return cells.join(" ");
    });
}

const status = (page) => page.locator("#status").textContent();
const made = async (page) => Number(await page.getByRole("slider", { name: "Moves made" }).inputValue());
const button = (page, name) => page.getByRole("button", { name, exact: true });

/// From now on the page's time stands still, but for what `page.clock.runFor` lets pass: a slow machine makes no difference.
async function stop_time(page) {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
}

async function at_step(page, step) {
    await page.waitForFunction((wanted) => Number(document.querySelector("#scrub").value) === wanted, step);
}

await test("the page opens on the first board", "puzzle3x3-11.html", {}, async (page) => {
    assert.equal(await board(page), start);
    assert.equal(await status(page), "Start: 11 moves to go");
    assert.equal(await page.title(), "A sliding-tile puzzle of 3 by 3, solved in 11 moves");
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), await page.title());
    assert.equal(await page.getByRole("img", { name: "1 blank 2; 4 8 3; 5 7 6" }).count(), 1);
    assert.ok(await button(page, "One move back").isDisabled());
});

await test("it plays to the goal, and stops", "puzzle3x3-11.html", {}, async (page) => {
    await stop_time(page);
    for (const beginning of [1, 0]) { // once more: from the end it goes back, and rests there
        await button(page, "Play").click();
        assert.equal(await made(page), beginning);
        assert.equal(await button(page, "Pause").count(), 1);
        assert.equal(await page.locator("#status").getAttribute("aria-live"), "off");
        await page.clock.runFor(100 * (moves - beginning) - 1);
        assert.equal(await made(page), moves - 1);
        assert.equal(await button(page, "Pause").count(), 1);
        await page.clock.runFor(1);
        assert.equal(await button(page, "Play").count(), 1);
        assert.equal(await board(page), goal);
        assert.equal(await page.getByRole("img", { name: "1 2 3; 4 5 6; 7 8 blank" }).count(), 1);
        assert.ok(await button(page, "One move forward").isDisabled());
    }
});

await test("steps lead forward to the goal and back to the start, one slide at a time", "puzzle3x3-11.html", {}, async (page) => {
    const seen = [await board(page)];
    for (let step = 1; step <= moves; ++step) {
        await button(page, "One move forward").click();
        seen.push(await board(page));
        const before = seen[step - 1].split(" ");
        const changed = seen[step].split(" ").flatMap((tile, cell) => (tile === before[cell] ? [] : [cell]));
        const distance = changed[1] - changed[0];
        assert.equal(changed.length, 2);
        assert.ok(distance === 3 || (distance === 1 && changed[1] % 3 !== 0));
        const tile = before[changed[0]] === "_" ? before[changed[1]] : before[changed[0]];
        assert.match(await status(page), new RegExp(`^Move ${step} of 11: tile ${tile} (up|left|right|down)$`));
        assert.equal(await page.locator(".tile.moved").textContent(), tile);
    }
    assert.equal(seen[moves], goal);
    for (let step = moves - 1; step >= 0; --step) {
        await button(page, "One move back").click();
        assert.equal(await board(page), seen[step]);
    }
    assert.equal(await page.locator(".tile.moved").count(), 0);
});

await test("the slider scrubs", "puzzle3x3-11.html", {}, async (page) => {
    const slider = page.getByRole("slider", { name: "Moves made" });
    await slider.fill("11");
    assert.equal(await board(page), goal);
    await slider.fill("0");
    assert.equal(await board(page), start);
    const box = await slider.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    assert.equal(await board(page), goal);
    assert.match(await slider.getAttribute("aria-valuetext"), /^Move 11 of 11: /);
});

await test("the keyboard does all of it", "puzzle3x3-11.html", {}, async (page) => {
    await stop_time(page);
    const press = (key) => page.keyboard.press(key);
    await press("ArrowRight");
    await press("ArrowRight");
    assert.equal(await made(page), 2);
    await press("ArrowLeft");
    assert.equal(await made(page), 1);
    await press("End");
    assert.equal(await board(page), goal);
    await press("Home");
    assert.equal(await board(page), start);
    await press("ArrowLeft");
    assert.equal(await made(page), 0);
    await press("Space");
    assert.equal(await button(page, "Pause").count(), 1);
    await press("Space");
    assert.equal(await button(page, "Play").count(), 1);
    // On a button that has the focus, the space bar presses that one, and only once.
    await press("Home");
    await button(page, "One move forward").focus();
    await press("Space");
    assert.equal(await made(page), 1);
    assert.equal(await button(page, "Play").count(), 1);
    await button(page, "Play").focus();
    await press("Space");
    assert.equal(await button(page, "Pause").count(), 1);
    await page.clock.runFor(100 * moves);
    assert.equal(await made(page), moves);
    // From the slider, an arrow is one step, too.
    await page.getByRole("slider").focus();
    await press("ArrowLeft");
    assert.equal(await made(page), moves - 1);
});

await test("a board without moves is shown, and nothing can be pressed", "solved.html", {}, async (page) => {
    assert.match(await board(page), /^1 2 3 .* 119 120 _$/);
    assert.equal(await status(page), "Nothing to move");
    assert.ok(await button(page, "Play").isDisabled());
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    assert.equal(await button(page, "Play").count(), 1);
});

/// Everything is on the page, one below the other, and large enough for a finger.
async function check_layout(page, least_button) {
    const faults = await page.evaluate((least) => {
        const found = [];
        const root = document.documentElement;
        if (root.scrollWidth > root.clientWidth) found.push("wider than the window");
        const parts = ["h1", "#board", "#scrub", "#status", ".buttons"].map((name) => {
            const { left, right, top, bottom } = document.querySelector(name).getBoundingClientRect();
            return { name, left, right, top, bottom };
        });
        for (const a of parts) {
            if (a.left < 0 || a.right > root.clientWidth + 0.5 || a.bottom <= a.top) found.push(`${a.name} is cut off`);
            for (const b of parts) {
                if (a !== b && a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5)
                    found.push(`${a.name} lies over ${b.name}`);
            }
        }
        for (const control of document.querySelectorAll(".buttons button")) {
            const box = control.getBoundingClientRect();
            if (box.width < least || box.height < least) found.push(`${control.outerHTML} is too small`);
        }
        for (const tile of document.querySelectorAll(".tile")) {
            const range = document.createRange();
            range.selectNodeContents(tile);
            if (range.getBoundingClientRect().width > 0.9 * tile.getBoundingClientRect().width)
                found.push(`the number of tile ${tile.textContent} does not fit`);
        }
        return found;
    }, least_button);
    assert.deepEqual(faults, []);
}

for (const file of ["puzzle3x3-11.html", "puzzle4x4-30.html", "solved.html"]) {
    await test(`${file} fits a window, and a phone upright and on its side`, file, { hasTouch: true, isMobile: true }, async (page) => {
        for (const [width, height] of [[1000, 760], [720, 500], [740, 360], [360, 640]]) {
            await page.setViewportSize({ width, height });
            await check_layout(page, 43);
        }
        const { bottom } = await page.evaluate(() => document.querySelector(".buttons").getBoundingClientRect());
        assert.ok(bottom <= 640, `the buttons end at ${bottom}`);
        if (file === "puzzle3x3-11.html") {
            await button(page, "Play").tap();
            await at_step(page, moves);
            assert.equal(await board(page), goal);
        }
    });
}

/// How far apart an element's colour and that of the ground below it are, as WCAG counts it.
async function contrast(page, text, ground) {
    return page.evaluate(([text_of, ground_of]) => {
        const colour = (selector, property) => {
            const [, name, pseudo] = selector.match(/^(.*?)(::before)?$/);
            return getComputedStyle(document.querySelector(name), pseudo)[property].match(/[\d.]+/g).slice(0, 3);
        };
        const luminance = (rgb) => {
            const [r, g, b] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const both = [luminance(colour(text_of, "color")), luminance(colour(ground_of, "backgroundColor"))];
        return { ratio: (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05), ground: both[1] };
    }, [text, ground]);
}

for (const scheme of ["light", "dark"]) {
    await test(`it is legible in the ${scheme} scheme`, "puzzle3x3-11.html", { colorScheme: scheme }, async (page) => {
        await button(page, "One move forward").click();
        for (const [text, ground] of [["h1", "body"], ["#status", "body"], ["#back", "#back"], ["#play", "#play"],
            [".tile:not(.moved)", ".tile:not(.moved)::before"], [".tile.moved", ".tile.moved::before"]]) {
            const { ratio } = await contrast(page, text, ground);
            assert.ok(ratio >= 4.5, `${text} has a contrast of ${ratio}`);
        }
        const { ground } = await contrast(page, "h1", "body");
        assert.equal(ground > 0.5, scheme === "light");
        if (screenshot && scheme === "light") {
            await page.setViewportSize({ width: 420, height: 560 });
            await page.getByRole("slider").fill("6");
            await board(page);
            await page.screenshot({ path: screenshot });
        }
    });
}

await test("who wants less motion sees none", "puzzle3x3-11.html", { reducedMotion: "reduce" }, async (page) => {
    assert.equal(await page.evaluate(() => {
        document.getElementById("forward").click();
        return document.getAnimations().length;
    }), 0);
    await button(page, "Play").click();
    await at_step(page, moves);
    assert.equal(await board(page), goal);
});

await test("without JavaScript it says what it needs", "puzzle3x3-11.html", { javaScriptEnabled: false }, async (page) => {
    assert.match(await page.locator("noscript").innerText(), /needs JavaScript/);
});

await finish();
