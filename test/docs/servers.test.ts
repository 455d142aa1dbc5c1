import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { docs } from "../../generator/docs/docs.js";
import { describeServers } from "../../runtime/contract/cli/describe-servers.js";
import { emitContract } from "../../runtime/contract/emit/emit-contract.js";
import { type Definition, LOCK_VERSION, lockText } from "../../runtime/contract/lock/lock-file.js";
import { lockServer } from "../../runtime/contract/lock/lock-server.js";
import { listsOf } from "../../runtime/contract/lock/read-lock.js";
import { EVIL, markupIn, markupInMarkdown } from "./markup.js";
import { plain, searchOf, textOf } from "./shared-site.js";
import { ownInput, schemaOf } from "./site.js";

const folder = mkdtempSync(join(tmpdir(), "docs-locks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOTES = ownInput(
  schemaOf(
    `export interface GetNoteRequest extends Request { method: "notes/get"; params: { id: string } }
     export interface GetNoteResult extends Result {}`,
    ["GetNote"],
  ),
  "draft",
);

function locked(name: string, tools: readonly Definition[], instructions?: string) {
  const reading = { ...listsOf({ tools }).lists, ...(instructions && { instructions }) };
  const server = lockServer(reading, { url: "https://a.example/" }, name, new Diagnostics())!;
  expect(server).toBeDefined();
  return server;
}

/** Writes a new lock file and returns its path. */
function lockFile(file: string, servers: Readonly<Record<string, ReturnType<typeof locked>>>) {
  const path = join(folder, file);
  writeFileSync(path, lockText({ lockVersion: LOCK_VERSION, servers }));
  return path;
}

function siteOf(...files: readonly string[]) {
  const diagnostics = new Diagnostics();
  const servers = describeServers(files, diagnostics);
  expect(diagnostics.items).toEqual([]);
  return docs({ revisions: [NOTES], servers: servers!, words: ["--out", "site"] });
}

const search = (required: readonly string[]): Definition => ({
  name: "search_issues",
  description: "Finds *issues*.",
  inputSchema: {
    type: "object",
    properties: { query: { type: "string", description: "Words." } },
    required,
  },
  outputSchema: {
    type: "object",
    properties: { hits: { type: "array", items: { type: "string" } } },
  },
  annotations: { readOnlyHint: true },
});

describe("the page of a locked server", () => {
  const older = lockFile("old.json", { tracker: locked("tracker", [search([])]) });
  const newer = lockFile("new.json", {
    tracker: locked("tracker", [
      search(["query"]),
      { name: "add", inputSchema: { type: "object" } },
    ]),
    fresh: locked("fresh", []),
  });

  it("has its tools, arguments, results and hints, and search finds them", () => {
    const site = siteOf(older);
    const page = plain(textOf(site, "server/tracker.html"));
    for (const text of ["Finds *issues*.", "query", "Words.", "readOnlyHint: true"]) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain("older contract");
    expect(searchOf(site)("search_issues")[0]).toMatchObject({
      kind: "tool",
      address: "server/tracker.html#tool.search_issues",
    });
    expect(textOf(site, "servers.html")).toContain('href="server/tracker.html"');
  });

  it("has the classes of change if an older contract is known", () => {
    const site = siteOf(older, newer);
    const page = plain(textOf(site, "server/tracker.html"));
    expect(page).toMatch(/breaking\s*tool search_issues/);
    expect(page).toMatch(/additive\s*tool add/);
    expect(plain(textOf(site, "server/fresh.html"))).toContain("new server");
  });

  it("is the same page that contract docs writes", async () => {
    const contract = locked("tracker", [search([])]);
    const alone = await emitContract("docs", "tracker", contract, "x", new Diagnostics());
    expect(main(textOf(alone, "index.html"))).toBe(
      main(textOf(siteOf(older), "server/tracker.html")),
    );
  });
});

/** Returns a page's content without anything that surrounds it. */
function main(text: string): string {
  return /<main[^]*<\/main>/.exec(text)![0];
}

it("texts of a hostile contract never become markup", () => {
  const properties = Object.fromEntries(
    EVIL.map((text) => [text, { type: "string", description: text }]),
  );
  const tools = EVIL.map((text, index) => ({
    name: `${text} ${index}`,
    title: text,
    description: EVIL.join("\n\n"),
    inputSchema: { type: "object", properties: { ...properties, ["__proto__"]: { const: text } } },
    outputSchema: { type: "object", properties },
    annotations: { [text]: true },
  }));
  const before = lockFile("evil-old.json", { evil: locked("evil", tools.slice(1)) });
  const after = lockFile("evil.json", { evil: locked("evil", tools, EVIL.join("\n")) });
  const site = siteOf(before, after);
  expect(markupIn(site)).toEqual([]);
  expect(markupInMarkdown(site)).toEqual([]);
  const page = textOf(site, "server/evil.html");
  expect(plain(page)).toContain("<img src=x onerror=alert(1)>");
  expect(page).toContain("\\u202e");
  for (const { text } of site) expect(text).not.toMatch(/\u202e|\0|\p{Surrogate}/u);
});

it("bears a contract as large as a lock file may be", () => {
  const tools = Array.from({ length: 15 }, (_, index) => ({
    name: `tool_${index}`,
    description: "[a](b `".repeat(140_000),
    inputSchema: { type: "object" },
  }));
  const site = siteOf(lockFile("large.json", { large: locked("large", tools) }));
  expect(textOf(site, "server/large.html").length).toBeGreaterThan(10_000_000);
});
