import {
  readdirSync,
  mkdirSync,
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { lockText } from "../../runtime/contract/lock/lock-file.js";
import { lockServer } from "../../runtime/contract/lock/lock-server.js";
import { listsOf } from "../../runtime/contract/lock/read-lock.js";
import { schemaOf } from "../docs/site.js";
import { build, root } from "./build.js";
import { cli, cliJson } from "./cli.js";

const REQUIREMENTS = join(root, "test/requirements");

let cwd: string;

beforeAll(build);

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "mcp-codegen-docs-"));
  const notes = `
/** A note. */
export interface Note { text: string }
export interface GetNoteRequest extends Request { method: "notes/get"; params: { id: string } }
export interface GetNoteResult extends Result { note: Note }
`;
  writeFileSync(join(cwd, "notes.ts"), schemaOf(notes, ["GetNote"]));
});

afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const SITE = ["docs", "--schema", "notes.ts", "--out", "site"];

it("writes a site, says when it is up to date, and lists what differs", async () => {
  const written = await cliJson(SITE, { cwd });
  expect(written.code).toBe(0);
  const page = readFileSync(join(cwd, "site/method/notes-get.html"), "utf8");
  expect(page).toContain("npx mcp-codegen docs --schema notes.ts --out site");
  expect((await cli([...SITE, "--check"], { cwd })).code).toBe(0);
  appendFileSync(join(cwd, "site/errors.html"), "<p>My own words.</p>");
  const checked = await cli([...SITE, "--check"], { cwd });
  expect(checked.code).toBe(1);
  expect(checked.stdout).toContain("site/errors.html");
  const refused = await cli(SITE, { cwd });
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain("was edited after it was generated");
  expect((await cli([...SITE, "--force"], { cwd })).code).toBe(0);
});

it("writes the same bytes in another locale, time zone and process", async () => {
  const inputs = ["--guide", join(root, "runtime/docs"), "--requirements", REQUIREMENTS];
  const write = async (folder: string, env?: Record<string, string>) => {
    mkdirSync(join(cwd, folder));
    const { code } = await cli(["docs", ...inputs], {
      cwd: join(cwd, folder),
      ...(env && { env }),
    });
    expect(code).toBe(0);
    const site = join(cwd, folder, "site");
    const entries = readdirSync(site, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(site, join(entry.parentPath, entry.name)));
    return new Map(files.map((file) => [file, readFileSync(join(site, file), "utf8")]));
  };
  const one = await write("one");
  const other = await write("other", {
    LC_ALL: "tr_TR.UTF-8",
    LANG: "tr_TR.UTF-8",
    TZ: "Pacific/Chatham",
  });
  expect([...other.keys()].toSorted()).toEqual([...one.keys()].toSorted());
  expect([...one].filter(([file, text]) => other.get(file) !== text)).toEqual([]);
  expect(one.size).toBeGreaterThan(500);
}, 120_000);

it("refuses a folder with files of the user's own, unless forced", async () => {
  mkdirSync(join(cwd, "site"));
  writeFileSync(join(cwd, "site/mine.txt"), "mine");
  const { code, stderr } = await cli(SITE, { cwd });
  expect([code, stderr]).toEqual([3, expect.stringMatching(/site is not empty.*--force/)]);
  expect(readdirSync(join(cwd, "site"))).toEqual(["mine.txt"]);
  expect((await cli([...SITE, "--force"], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, "site/mine.txt"), "utf8")).toBe("mine");
});

it("adds an extension of the user's own, and the servers of a lock file", async () => {
  writeFileSync(join(cwd, "maps.ts"), "/** A place. */ export interface Place { name: string }");
  const { lists } = listsOf({
    tools: [{ name: "search_issues", inputSchema: { type: "object" } }],
  });
  const tracker = lockServer(lists, { manifest: "a.json" }, "tracker", new Diagnostics())!;
  writeFileSync(join(cwd, "mcp.lock.json"), lockText({ lockVersion: 1, servers: { tracker } }));
  const words = ["--extension", "com.example/maps=maps.ts", "--lock", "mcp.lock.json"];
  const { code, stderr } = await cli(["docs", "--revision", "2026-07-28", ...words], { cwd });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("error")]);
  const extension = readFileSync(join(cwd, "site/extension/com.example-maps.html"), "utf8");
  expect(extension).toContain("A place.");
  expect(readFileSync(join(cwd, "site/server/tracker.html"), "utf8")).toContain("search_issues");
});

it("adds a guide, and removes its pages when it is gone", async () => {
  writeFileSync(join(cwd, "README.md"), "# How\n\nRead [the other](other.md#part).\n");
  writeFileSync(join(cwd, "other.md"), "# Other\n\n## Part\n");
  expect((await cli([...SITE, "--guide", "."], { cwd })).code).toBe(0);
  const guide = readFileSync(join(cwd, "site/guide.html"), "utf8");
  expect(guide).toContain('<a href="guide/other.html#part">the other</a>');
  expect(existsSync(join(cwd, "site/guide/other.html"))).toBe(true);
});

it("refuses a page of the guide that is too large", async () => {
  writeFileSync(join(cwd, "big.md"), Buffer.alloc(17 * 1024 * 1024, "a"));
  const { code, stderr } = await cli([...SITE, "--guide", "."], { cwd });
  expect(code).toBe(3);
  expect(stderr).toContain('Cannot read "big.md": EFBIG.');
  expect(stderr).toContain("The file is too large; split it.");
});

it.each([
  [["--revision", "2025-13-01"], 'There is no bundled revision "2025-13-01".'],
  [["--facts", "facts.json"], "--facts needs --schema."],
  [["--base", "example.com"], '--base "example.com" is not a URL'],
  [["--guide", "nowhere"], 'Cannot read "nowhere": ENOENT.'],
  [["--extension", "maps=maps.ts"], '"maps" cannot be the id of an extension'],
  [["--extension", "com.example/maps=maps.ts"], "The schema file does not exist."],
  [["--lock", "nothing.json"], "The lock file does not exist."],
  [["--check", "--dry-run"], "--check and --dry-run cannot be combined."],
  [["--schema", "nothing.ts"], "There is no such file."],
])("explains %s", async (words, message) => {
  const { code, stderr } = await cli(["docs", ...words], { cwd });
  expect([2, 3]).toContain(code);
  expect(stderr).toContain(message);
  expect(existsSync(join(cwd, "site"))).toBe(false);
});
