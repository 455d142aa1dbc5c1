import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";
import { snippets } from "./snippets.js";
import { followPage } from "./word-for-word.js";

/** First command of the README, literally, for a fresh clone. */
const command = snippets(readFileSync(join(root, "README.md"), "utf8")).find(
  ({ language, text }) => language === "sh" && text.startsWith("npm ci && npx mcp-codegen"),
);
let folder: string;
let clone: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-clone-"));
  clone = join(folder, "mcp-codegen");
  await runOrThrow("git", ["clone", "--quiet", "--depth", "1", pathToFileURL(root).href, clone]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("emits a package that type-checks and validates", async () => {
  const line = command!.text.split("\n")[0]!;
  const made = await run(line, [], { cwd: clone, shell: true });
  expect(made.code, made.stderr).toBe(0);

  const out = join(clone, /--out (\S+)/.exec(line)![1]!);
  const built = await run("npx", ["tsc", "-p", out], { cwd: clone });
  expect(built.code, built.stdout).toBe(0);

  const program = `
    import { validators } from "./dist/index.js";
    const issues = [];
    const message = { method: "tools/call", params: { name: 1 } };
    console.log(validators.CallToolRequest(message, issues), JSON.stringify(issues));
  `;
  writeFileSync(join(out, "try.mjs"), program);
  const tried = await runOrThrow(process.execPath, [join(out, "try.mjs")]);
  expect(tried).toBe('false [{"path":"/params/name","expected":"string","received":"1"}]\n');
}, 300_000);

const page = (path: string): string => readFileSync(join(root, path), "utf8");

it("is followed word for word, from the README to a tested project", async () => {
  const [, part = ""] = /^## Try it$([^]*?)^## /m.exec(page("README.md")) ?? [];
  const later = part.replace("npm ci && ", "");
  expect(await followPage(later, clone)).toMatch(/pass 4\b/);
}, 300_000);

it("is followed word for word, from the start page to a client that calls a server", async () => {
  const [, part = ""] =
    /^## Install$([^]*?)^## Over HTTP$/m.exec(page("runtime/docs/start.md")) ?? [];
  expect(await followPage(part, clone)).toContain("Hello, Ada!");
}, 300_000);
