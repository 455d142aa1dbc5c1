import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cloneRepository } from "../support/clone.js";
import { packages } from "../../.github/packages.mjs";
import { root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";
import { followPage } from "./word-for-word.js";

const page = (path: string): string => readFileSync(join(root, path), "utf8");

/** The installation command with which the README's commands begin. */
const INSTALLATION = "npm ci && ";

let folder: string;
let clone: string;

beforeAll(async () => {
  ({ folder, clone } = await cloneRepository());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the commands that the command line prints as next steps, for each of its calls. */
const nextSteps = (printed: string): string[] =>
  [...printed.matchAll(/^Next:\n((?: {2}.*\n?)+)/gm)].map(([, steps = ""]) =>
    steps.trim().split(/\n\s*/).join(" && "),
  );

/**
 * Returns the archives in a project's `vendor/` folder, and checks that all our packages in the project are from there.
 */
function vendoredIn(project: string): string[] {
  const archives = readdirSync(join(project, "vendor")).toSorted();
  const text = readFileSync(join(project, "package-lock.json"), "utf8");
  const { packages: found } = JSON.parse(text) as {
    packages: Record<string, { resolved?: string }>;
  };
  const ours = Object.entries(found).filter(([path]) => /@mcp-codegen\/[^/]+$/.test(path));
  const from = ours.map(([, { resolved = "" }]) => resolved);
  expect(from.filter((place) => !place.startsWith("file:vendor/"))).toEqual([]);
  expect(from.length).toBe(archives.length);
  return archives;
}

it("is followed word for word, from the README to a package that validates, and a tested project", async () => {
  const [, part = ""] = /^## Try it$([^]*?)^## /m.exec(page("README.md")) ?? [];
  expect(part).toContain(`${INSTALLATION}npx mcp-codegen `);
  const printed = await followPage(part.replace(INSTALLATION, ""), clone);
  const steps = nextSteps(printed);
  const ofProject = steps.find((one) => one.startsWith("cd ../notes ")) ?? "none";
  const ofPackage = steps.find((one) => one.startsWith("cd my-protocol ")) ?? "none";

  expect(printed).toMatch(/pass 4\b/);
  expect(part).toContain(`\n${ofProject.replace("npm run test", "npm test")}\n`);
  expect(vendoredIn(join(folder, "notes")).length).toBeGreaterThan(1);

  expect(ofPackage).toMatch(/&& npm install && npm test$/);
  const followed = await run(ofPackage, [], { cwd: clone, shell: true });
  expect(followed.code, followed.stdout + followed.stderr).toBe(0);
  const out = join(clone, /--out (\S+)/.exec(part)![1]!);
  const { version } = packages[0]!.manifest;
  expect(vendoredIn(out)).toEqual([`mcp-codegen-runtime-${version}.tgz`]);

  const program = `
    import { validators } from "./dist/index.js";
    const issues = [];
    const message = { method: "tools/call", params: { name: 1 } };
    console.log(validators.CallToolRequest(message, issues), JSON.stringify(issues));
  `;
  writeFileSync(join(out, "try.mjs"), program);
  const tried = await runOrThrow(process.execPath, [join(out, "try.mjs")]);
  expect(tried).toBe('false [{"path":"/params/name","expected":"string","received":"1"}]\n');
  rmSync(join(out, "try.mjs"));

  const line = /npx mcp-codegen --revision .*/.exec(part)![0];
  const checked = await run(`${line} --check`, [], { cwd: dirname(out), shell: true });
  expect(checked.code, checked.stderr).toBe(0);
}, 300_000);

it("is followed word for word, from the start page to a client that calls a server", async () => {
  const [, part = ""] =
    /^## Install$([^]*?)^## Over HTTP$/m.exec(page("runtime/docs/start.md")) ?? [];
  expect(await followPage(part, clone)).toContain("Hello, Ada!");
}, 300_000);
