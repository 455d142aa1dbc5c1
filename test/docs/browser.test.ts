import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, whyNoBrowser } from "./browser.js";
import { BASE, sharedSite } from "./shared-site.js";

/** A page for each template. All of them are small, because axe inspects every element. */
const TEMPLATES = [
  "index.html",
  "method/completion-complete.html",
  "type/Root.html",
  "headers.html",
  "changes.html",
  "changes/2025-03-26-to-2025-06-18.html",
  "extension/io.modelcontextprotocol-skills.html",
  "requirements/roots.html",
  "guide/sessions.html",
  "404.html",
];

/** The pages above, and others with a lot of content. */
const PAGES = [
  "methods.html",
  "method/tools-call.html",
  "type/ClientCapabilities.html",
  "type/PARSE_ERROR.html",
  "types.html",
  "errors.html",
  "capabilities.html",
  "meta.html",
  "traits.html",
  "changes/2025-11-25-to-2026-07-28.html",
  "extension/io.modelcontextprotocol-tasks.html",
  "requirements/tools.html",
  "guide.html",
  ...TEMPLATES,
];

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

/** The folder below which the server publishes the site. */
const BELOW = new URL(BASE).pathname;

describe.skipIf(whyNoBrowser)("the site in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-codegen-site-"));
  let browser: Browser;
  let server: Server;
  let origin: string;
  const problems: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://site");
      try {
        if (!pathname.startsWith(BELOW)) throw new Error("outside");
        const text = readFileSync(join(folder, pathname.slice(BELOW.length)));
        response.setHeader("Content-Type", TYPES[extname(pathname)] ?? "text/plain").end(text);
      } catch {
        response.writeHead(404, { "Content-Type": "text/html" });
        response.end(readFileSync(join(folder, "404.html")));
      }
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const { path, text } of await sharedSite()) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const addresses = {
    "from files": (path: string) => pathToFileURL(join(folder, path)).href,
    "below a path of a server": (path: string) => `${origin}${BELOW}${path}`,
  };
  type Source = keyof typeof addresses;

  async function withPage(
    options: BrowserContextOptions,
    use: (page: Page) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.on("console", (message) => problems.push(`${page.url()}: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(`${page.url()}: ${error.message}`));
    page.on("requestfailed", (request) => {
      // Opening the next page aborts whatever the previous one was loading.
      if (request.failure()?.errorText === "net::ERR_ABORTED") return;
      problems.push(`failed: ${request.url()}`);
    });
    page.on("request", (request) => {
      const isOwn = request.url().startsWith("file:") || request.url().startsWith(origin);
      if (!isOwn) problems.push(`foreign: ${request.url()}`);
    });
    try {
      await use(page);
    } finally {
      await context.close();
    }
    expect(problems.splice(0)).toEqual([]);
  }

  it.each(Object.keys(addresses) as Source[])("opens every kind of page %s", async (source) => {
    await withPage({ viewport: { width: 320, height: 640 } }, async (page) => {
      // If there is a base, the page for missing addresses belongs to the server.
      for (const path of PAGES.filter((one) => one !== "404.html" || source !== "from files")) {
        await page.goto(addresses[source](path));
        expect(await page.locator("h1").count()).toBe(1);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([path, width]).toEqual([path, 320]);
      }
    });
  });

  it.each(Object.keys(addresses) as Source[])("searches by keyboard %s", async (source) => {
    await withPage({}, async (page) => {
      await page.goto(addresses[source]("method/tools-call.html"));
      await page.keyboard.press("/");
      await page.keyboard.type("-32021");
      await page.locator("[role=listbox] li .name").first().waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await page.waitForURL(/errors\.html#MISSING_REQUIRED_CLIENT_CAPABILITY$/);
    });
  });

  it("shows one revision, which the address keeps from page to page", async () => {
    await withPage({}, async (page) => {
      await page.goto(addresses["from files"]("type/ClientCapabilities.html"));
      const shown = page.locator(".at:visible");
      await expect.poll(() => shown.getAttribute("data-at")).toBe("2026-07-28");
      await page.locator('.switch a[data-at="2025-06-18"]').press("Enter");
      await expect.poll(() => shown.getAttribute("data-at")).toBe("2025-06-18");
      expect(new URL(page.url()).searchParams.get("at")).toBe("2025-06-18");
      await page.locator(".older:visible a").click();
      await expect.poll(() => shown.getAttribute("data-at")).toBe("2026-07-28");
      expect(await page.locator(".older").isVisible()).toBe(false);
      await page.locator('.switch a[data-at="2025-06-18"]').press("Enter");
      await page.reload();
      await expect.poll(() => shown.getAttribute("data-at")).toBe("2025-06-18");
      await page.locator(".uses:visible a").first().click();
      await page.waitForURL(/\?at=2025-06-18/);
      await expect.poll(() => shown.getAttribute("data-at")).toBe("2025-06-18");
    });
  });

  it("scrolls to a member of the revision that its link names, or of the one shown", async () => {
    await withPage({}, async (page) => {
      const to = addresses["from files"]("type/ClientCapabilities.html");
      await page.goto(`${to}#2025-11-25.tasks`);
      await expect
        .poll(() => page.locator(".at:visible").getAttribute("data-at"))
        .toBe("2025-11-25");
      await page.goto(`${to}?at=2025-06-18#elicitation`);
      const member = page.locator('[id="2025-06-18.elicitation"]');
      await expect.poll(() => member.isVisible()).toBe(true);
    });
  });

  it("is readable without scripts, with the newest revision, or the one of the fragment", async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      const to = addresses["from files"]("type/ClientCapabilities.html");
      await page.goto(to);
      expect(await page.locator(".at:visible").getAttribute("id")).toBe("at-2026-07-28");
      expect(await page.locator(".search").isVisible()).toBe(false);
      await page.locator('.switch a[data-at="2025-06-18"]').click();
      await expect.poll(() => page.locator(".at:visible").getAttribute("id")).toBe("at-2025-06-18");
      await page.goto(`${to}#2025-11-25.tasks`);
      await expect.poll(() => page.locator(".at:visible").getAttribute("id")).toBe("at-2025-11-25");
    });
  });

  it("suggests names on the page for addresses that do not exist", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${origin}${BELOW}type/CalToolResult.html`);
    await expect
      .poll(() => page.locator(".suggestions a").allTextContents())
      .toContain("CallToolResult");
    await page.locator(".suggestions a", { hasText: /^CallToolResult$/ }).click();
    await page.waitForURL(`${origin}${BELOW}type/CallToolResult.html`);
    await context.close();
  });

  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

  it.each(TEMPLATES)("axe finds nothing in light and dark: %s", async (path) => {
    // The pages run no scripts from elsewhere, so this is the only place where their policy is bypassed.
    await withPage({ bypassCSP: true }, async (page) => {
      await page.goto(addresses["below a path of a server"](path));
      await page.evaluate(axe);
      expect(await findings(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await findings(page, ["color-contrast"])).toEqual([]);
    });
  });

  it("axe finds nothing while results are shown", async () => {
    await withPage({ bypassCSP: true }, async (page) => {
      await page.goto(addresses["below a path of a server"]("index.html"));
      await page.locator(".search input").fill("tool");
      await page.locator("[role=listbox] li .name").first().waitFor();
      await page.evaluate(axe);
      expect(await findings(page)).toEqual([]);
    });
  });
});

/** Returns the violations that axe, which the page has loaded, finds; by default, those of all rules. */
function findings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  return page.evaluate(async (only) => {
    const { run } = (globalThis as unknown as { axe: Axe }).axe;
    const { violations } = await run(only ? { runOnly: only } : {});
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, rules);
}

interface Axe {
  run(options: { readonly runOnly?: readonly string[] }): Promise<AxeResult>;
}

interface AxeResult {
  readonly violations: readonly { id: string; nodes: readonly { html: string }[] }[];
}
