// Takes pictures of some pages, light and dark, wide and narrow, for people to look at:
// node test/docs/screenshots.mjs <site> <folder>
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const PAGES = [
  "index.html",
  "methods.html",
  "method/tools-call.html",
  "type/ClientCapabilities.html",
  "type/CallToolResult.html",
  "compare/initialize-server-discover.html",
  "errors.html",
  "capabilities.html",
  "traits.html",
  "changes/2025-11-25-to-2026-07-28.html",
  "extension/io.modelcontextprotocol-tasks.html",
];

const [site = "site", folder = "screenshots"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
for (const [width, size] of [
  [1280, "wide"],
  [360, "narrow"],
]) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    for (const path of PAGES) {
      await page.goto(pathToFileURL(join(resolve(site), path)).href);
      const name = path.replace(/\.html$/, "").replace(/\W+/g, "-");
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
    }
    await page.close();
  }
}
await browser.close();
