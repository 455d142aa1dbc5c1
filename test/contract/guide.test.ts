import { copyFileSync } from "node:fs";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { build, root } from "../cli/build.js";
import { snippets } from "../readme/snippets.js";
import { run } from "../support/run.js";
import { ContractProject, program } from "./generated-code.js";

beforeAll(build, 120_000);

it("the snippets of the guide compile with the code that its commands generate, and print what they say", async () => {
  using project = new ContractProject();
  const guide = snippets(readFileSync(join(root, "runtime/docs/contracts.md"), "utf8"));
  copyFileSync(program("tracker"), join(project.path, "tracker.mjs"));
  await project.cli("lock", "tracker", "--", process.execPath, "tracker.mjs");
  const commands = guide
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => /^npx mcp-codegen contract (?:client|server|tree) tracker/.test(line));
  expect(commands.length).toBeGreaterThanOrEqual(2);
  for (const line of commands) {
    const { code, stderr } = await project.cli(...line.split(" ").slice(2));
    expect(code, stderr).toBe(0);
  }
  const printed: string[] = [];
  for (const { language, text } of guide) {
    const [, path] = /^\/\/ (src\/\S+)/.exec(text) ?? [];
    if (language !== "typescript" || path === undefined) continue;
    project.put({ [path]: `${text}\n` });
    printed.push(
      ...[...text.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line!),
    );
  }
  // The program needs Node's global objects.
  const config = JSON.parse(project.read("tsconfig.json")) as { compilerOptions: object };
  const compilerOptions = {
    ...config.compilerOptions,
    noEmit: false,
    declaration: false,
    isolatedDeclarations: false,
    rootDir: "src",
    outDir: "dist",
    types: ["node"],
  };
  project.put({ "tsconfig.json": JSON.stringify({ ...config, compilerOptions }) });
  expect(await project.compile()).toBe("");
  const { stdout, stderr } = await run(process.execPath, ["dist/client.js"], { cwd: project.path });
  expect(stderr).toBe("");
  const shown = stdout
    .trim()
    .split("\n")
    .map((line) => line.replace(/^\[ '(.*)' \]$/, '["$1"]'));
  expect(shown).toEqual(printed);
}, 60_000);
