import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";

const cli = join(root, "generator/dist/cli/bin.js");
let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "mcp-codegen-vendor-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compares the class of a project's own runtime with that of the runtime in the package's folder. */
const TWO_COPIES = `
  import { RpcError } from "@mcp-codegen/runtime";
  import { RpcError as Other } from "@mcp-codegen/universal/server";
  console.log(RpcError === Other, new RpcError(7, "") instanceof Other);`;

/** Runs this clone's command line, then the commands that it printed. */
async function follow(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(process.execPath, [cli, ...args], { cwd: folder });
  expect(code, stderr).toBe(0);
  const [, steps = ""] = /^Next:\n((?: {2}.*\n?)+)/m.exec(stderr + stdout) ?? [];
  const script = steps.trim().split(/\n\s*/).join(" && ");
  expect(script).toMatch(
    /^(cd \S* && npm install && npm run build && )?cd \S* && npm install && npm test$/,
  );
  const followed = await run(script, [], { cwd: folder, shell: true });
  expect(followed.code, followed.stdout + followed.stderr).toBe(0);
  return /^Then, in your project:\n {2}(npm install .*)$/m.exec(stderr + stdout)?.[1] ?? "";
}

// test/readme/fresh-clone follows what it prints for a revision and for a project.
describe("a command line that runs from a clone", () => {
  it("generates a universal package whose printed commands build what it needs, install and test it", async () => {
    const schema = join(root, "schema/2026-07-28/schema.ts");
    const revisions = ["--revision", "2025-11-25", "--revision", "draft", "--schema", schema];
    const use = await follow(["--universal", ...revisions, "--out", "packages"]);
    expect(existsSync(join(folder, "packages/universal/dist/index.js"))).toBe(true);
    const app = mkdtempSync(join(folder, "app-"));
    writeFileSync(join(app, "package.json"), '{ "type": "module", "private": true }');
    const using = await run(use, [], { cwd: app, shell: true });
    expect(using.code, using.stdout + using.stderr).toBe(0);
    const args = ["--input-type=module", "-e", TWO_COPIES];
    const { stdout, stderr } = await run(process.execPath, args, { cwd: app });
    expect(stdout, stderr).toBe("false true\n");
  }, 180_000);

  it("depends on published packages with --from-registry", async () => {
    const args = [cli, "new", "plain", "--template", "client", "--from-registry"];
    expect((await run(process.execPath, args, { cwd: folder })).code).toBe(0);
    expect(existsSync(join(folder, "plain/vendor"))).toBe(false);
    expect(readFileSync(join(folder, "plain/package.json"), "utf8")).not.toContain("file:");
  });
});
