import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build } from "./build.js";
import { type Running, start } from "./cli.js";
import { SMALL_SCHEMA } from "./small-schema.js";

beforeAll(build, 120_000);

const ARGS = ["--schema", "dir/s.ts", "--revision", "draft", "--out", "out", "--watch"];
const withMember = (name: string) =>
  SMALL_SCHEMA.replace("Tool { name", `Tool { ${name}?: string; name`);

/** Waits for a condition. On failure, the error contains the output of the process so far. */
async function until(running: Running, condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!condition()) {
    if (Date.now() > deadline)
      throw new Error(`Waited in vain.\n${running.stdout()}\n${running.stderr()}`);
    await pause(20);
  }
}

const runsOf = (running: Running) => running.stderr().split("Watching ").length - 1;

async function ends(running: Running, signal: NodeJS.Signals = "SIGINT"): Promise<void> {
  running.signal(signal);
  const { code, stderr } = await running.finished;
  expect(code, stderr).toBe(0);
}

describe("--watch", () => {
  it("generates after each change, however the file is saved, and ends with 0", async () => {
    using folder = new TestFolder().put({ "dir/s.ts": SMALL_SCHEMA });
    const file = join(folder.path, "dir/s.ts");
    const types = () => folder.read("out/types.ts");
    const running = start(ARGS, { cwd: folder.path });
    await until(running, () => runsOf(running) === 1);
    expect(running.stdout()).toBe("out  13 created\n");

    writeFileSync(file, withMember("inPlace"));
    await until(running, () => types().includes("inPlace?: string"));

    writeFileSync(`${file}~`, withMember("renamed"));
    renameSync(`${file}~`, file);
    await until(running, () => types().includes("renamed?: string"));

    rmSync(file);
    await pause(30);
    writeFileSync(file, withMember("recreated"));
    await until(running, () => types().includes("recreated?: string"));

    renameSync(join(folder.path, "dir"), join(folder.path, "old"));
    mkdirSync(join(folder.path, "dir"));
    writeFileSync(file, withMember("elsewhere"));
    await until(running, () => types().includes("elsewhere?: string"));
    await ends(running);
  }, 60_000);

  it("reports a broken schema and continues", async () => {
    using folder = new TestFolder().put({ "dir/s.ts": "export enum X {}\n" });
    const file = join(folder.path, "dir/s.ts");
    const running = start(ARGS, { cwd: folder.path });
    await until(running, () => runsOf(running) === 1);
    expect(running.stderr()).toMatch(/^dir\/s\.ts:1:\d+ - error MCG2\d{3}: /);

    writeFileSync(file, SMALL_SCHEMA);
    await until(running, () => runsOf(running) === 2);
    expect(folder.read("out/types.ts")).toContain("export interface Tool");

    rmSync(file);
    await until(running, () => running.stderr().includes("MCG1001"));
    expect(folder.read("out/types.ts")).toContain("export interface Tool");
    writeFileSync(file, withMember("again"));
    await until(running, () => folder.read("out/types.ts").includes("again?: string"));
    await ends(running, "SIGTERM");
  }, 60_000);

  it("treats a burst of writes as one change", async () => {
    using folder = new TestFolder().put({ "dir/s.ts": SMALL_SCHEMA });
    const running = start(ARGS, { cwd: folder.path });
    await until(running, () => runsOf(running) === 1);
    for (let index = 0; index < 20; index++) {
      writeFileSync(join(folder.path, "dir/s.ts"), withMember(`m${index}`));
      await pause(10);
    }
    await until(running, () => folder.read("out/types.ts").includes("m19?: string"));
    await pause(300);
    expect(runsOf(running)).toBeLessThanOrEqual(4);
    await ends(running);
  }, 60_000);

  it("follows its configuration, and prints one line of JSON for each run", async () => {
    using folder = new TestFolder().put({
      "s.ts": SMALL_SCHEMA,
      "mcp-codegen.config.mjs": 'export default { schema: "s.ts", revisions: ["a"], out: "x" };\n',
    });
    const running = start(["--watch", "--json"], { cwd: folder.path });
    const lines = () => running.stdout().split("\n").filter(Boolean);
    await until(running, () => lines().length === 1);
    const config = join(folder.path, "mcp-codegen.config.mjs");
    writeFileSync(config, 'export default { schema: "s.ts", revisions: ["a"], out: "y" };\n');
    await until(running, () => lines().length === 2);
    writeFileSync(config, "export default {");
    await until(running, () => lines().length === 3);
    const [first, second, third] = lines().map((line) => JSON.parse(line) as object);
    expect(first).toMatchObject({ exitCode: 0, outputs: [{ folder: "x" }] });
    expect(second).toMatchObject({ exitCode: 0, outputs: [{ folder: "y" }] });
    expect(third).toMatchObject({ exitCode: 2, diagnostics: [{ code: "MCG0003" }] });
    await ends(running);
    expect(running.stderr()).toBe("");
  }, 60_000);

  it("ends at once with a wrong command line", async () => {
    using folder = new TestFolder();
    const { code, stderr } = await start(["--watch"], { cwd: folder.path }).finished;
    expect(code).toBe(2);
    expect(stderr).toContain("Nothing to generate.");
  });
});
