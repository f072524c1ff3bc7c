// What the tests in a headless Chromium share; browser.sh finds it.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";

/// Starts the browser by playwright-core, which is in the folder `modules`.
/// \param viewport of a page, unless a test has its own
/// \param timeout in milliseconds, of whatever a test waits for
/// \param may_ask_for whether a page may send a request
export async function start_browser(chromium_path, modules, { viewport, timeout, may_ask_for }) {
    const { chromium } = createRequire(path.resolve(modules, "package.json"))("playwright-core");
    const browser = await chromium.launch({ executablePath: chromium_path, timeout });
    let passed = 0;
    let failed = 0;

    /// Runs a test on a page of its own. A request that may not be sent or is not answered, an error, or a message on the
    /// console is a failure.
    async function test(name, options, body) {
        const began = Date.now();
        const context = await browser.newContext({ viewport, ...options });
        try {
            const page = await context.newPage();
            page.setDefaultTimeout(timeout);
            const faults = [];
            page.on("request", (request) => {
                if (!may_ask_for(request)) faults.push(`asked for ${request.url()}`);
            });
            page.on("requestfailed", (request) => {
                // A page that is left is not read to its end.
                if (request.failure().errorText !== "net::ERR_ABORTED") faults.push(`not there: ${request.url()}`);
            });
            page.on("pageerror", (error) => faults.push(String(error)));
            page.on("console", (message) => faults.push(message.text()));
            await body(page);
            assert.deepEqual(faults, []);
            ++passed;
            console.log(`ok: ${name} (${Date.now() - began} ms)`);
        } catch (error) {
            ++failed;
            console.log(`FAILED: ${name}\n${error.stack}`);
        } finally {
            await context.close();
        }
    }

    /// Ends the browser, and says how the tests went, also by the exit status.
    async function finish() {
        await browser.close();
        console.log(`${passed} passed, ${failed} failed`);
        process.exitCode = failed ? 1 : 0;
    }

    return { browser, test, finish };
}
