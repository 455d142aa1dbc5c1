import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";

/** The path to Chromium: `CHROMIUM` or, by default, where Debian and Ubuntu install it. */
export const CHROMIUM: string = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Flags that prevent start pages, updates, and attempts to reach anything but the page. */
const QUIET = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Opens a page with a script in Chromium and returns what the script posts to `/report`.
 *
 * @param script - the path of a module
 * @param server - the value that is passed to the page as its parameter `server`
 */
export async function reportOfPage(script: string, server: string): Promise<unknown> {
  const profile = mkdtempSync(join(tmpdir(), "mcp-codegen-chromium-"));
  const reports = new EventEmitter();
  const pages = createServer((request, response) => {
    if (request.method === "POST") {
      void json(request).then((report) => reports.emit("report", report));
      response.end();
    } else if (request.url === "/page.mjs") {
      response.setHeader("Content-Type", "text/javascript").end(readFileSync(script));
    } else {
      response.setHeader("Content-Type", "text/html");
      response.end('<!doctype html><script type="module" src="/page.mjs"></script>');
    }
  });
  pages.listen(0, "127.0.0.1");
  await once(pages, "listening");
  const { port } = pages.address() as AddressInfo;
  const page = `http://127.0.0.1:${port}/?server=${encodeURIComponent(server)}`;
  const args = [...QUIET, `--user-data-dir=${profile}`, page];
  const report = once(reports, "report").then(([value]) => value as unknown);
  const browser = spawn(CHROMIUM, args, { stdio: "ignore" });
  const ended = once(browser, "exit");
  try {
    return await Promise.race([
      report,
      ended.then(([code]) => Promise.reject(new Error(`Chromium ended with ${code}`))),
    ]);
  } finally {
    browser.kill();
    await ended;
    pages.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}
