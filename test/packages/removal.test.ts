import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledExtensions } from "../../generator/bundled/bundled.js";
import { type Package, packages } from "../../.github/packages.mjs";
import { root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";

const tsc = join(root, "node_modules/typescript/bin/tsc");
const revisions = readdirSync(join(root, "generated"))
  .filter((name) => name !== "universal")
  .toSorted();

/** A revision in the middle, and the newest one, which anything that looks for a default would find. */
const removed = [revisions[2]!, revisions.at(-1)!];

/** Returns the packages that need neither of them nor, directly or indirectly, the package for all revisions. */
function packagesLeft(): Package[] {
  const lost = new Set([...removed, "universal"].map((name) => `@mcp-codegen/${name}`));
  return packages.filter(({ folder, name, needs }) => {
    if (needs.some((one) => lost.has(one))) lost.add(name);
    return folder !== "." && !lost.has(name);
  });
}

describe(`without ${removed.join(" and ")}`, () => {
  const left = revisions.filter((revision) => !removed.includes(revision));
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "mcp-codegen-removal-"));
    for (const name of [".github", "generator", "templates", "schema", "runtime", "generated"]) {
      cpSync(join(root, name), join(folder, name), {
        recursive: true,
        filter: (path) => ![...removed, "dist", "node_modules"].includes(basename(path)),
      });
    }
    rmSync(join(folder, "generated/universal"), { recursive: true });
    // An extension is removed together with the revision that it extends.
    for (const { name } of bundledExtensions().filter((each) => removed.includes(each.extends)))
      rmSync(join(folder, "schema/extensions", name), { recursive: true });
    cpSync(join(root, "tsconfig.json"), join(folder, "tsconfig.json"));
    const kept = packagesLeft();
    const workspaces = kept.map((one) => one.folder);
    const { manifest } = packages.find((one) => one.folder === ".")!;
    writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, workspaces }));
    linkModules(folder, kept);
    await runOrThrow(process.execPath, [join(folder, ".github/build-packages.mjs")], {
      cwd: folder,
    });
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("everything else type-checks", async () => {
    const kept = packagesLeft();
    const without = packages
      .map((one) => one.folder)
      .filter((one) => one !== "." && kept.every(({ folder: own }) => own !== one));
    const config = {
      extends: "./tsconfig.json",
      include: ["generator", "runtime", "generated", "schema"],
      // Packages that depend on the package for all revisions, which does not exist yet.
      exclude: [...without, "**/dist", "**/node_modules"],
    };
    writeFileSync(join(folder, "tsconfig.all.json"), JSON.stringify(config));
    const { stdout } = await run(process.execPath, [tsc, "-p", "tsconfig.all.json"], {
      cwd: folder,
    });
    expect(stdout).toBe("");
  }, 300_000);

  it("the others are generated as committed", async () => {
    const cli = join(folder, "generator/dist/cli/bin.js");
    const given = left.flatMap((revision) => ["--revision", revision]);
    const args = [cli, ...given, "--out", "generated", "--check"];
    const { code, stdout, stderr } = await run(process.execPath, args, { cwd: folder });
    for (const revision of removed) expect(stdout + stderr).not.toContain(revision);
    expect(code, stdout + stderr).toBe(0);
  }, 300_000);

  it("the package for all revisions covers the remaining ones", async () => {
    const cli = join(folder, "generator/dist/cli/bin.js");
    await runOrThrow(process.execPath, [cli, "--all", "--out", "all"], { cwd: folder });
    const files = readdirSync(join(folder, "all/universal"), { recursive: true, encoding: "utf8" });
    const modules = left.map((revision) => join("revisions", `${revision}.ts`));
    expect(files.filter((file) => /^revisions[\\/]/.test(file)).toSorted()).toEqual(modules);
    for (const file of files.filter((one) => /\.\w+$/.test(one))) {
      const text = readFileSync(join(folder, "all/universal", file), "utf8");
      // The documentation of a type may mention other revisions, and dates.
      const code = file.endsWith(".ts") ? text.replace(/\/\*[\s\S]*?\*\//g, "") : text;
      for (const revision of removed) expect(code).not.toContain(revision);
    }
  }, 300_000);

  it("the others work together", async () => {
    writeFileSync(join(folder, "talk.mjs"), conversation(left));
    const said = await runOrThrow(process.execPath, [join(folder, "talk.mjs")], { cwd: folder });
    expect(said.trim().split("\n")).toEqual(left.map((revision) => `${revision} hello`));
  }, 300_000);
});

/** Links the repository's own packages from the folder, and third-party packages from where they are installed. */
function linkModules(folder: string, own: readonly Package[]): void {
  mkdirSync(join(folder, "node_modules/@mcp-codegen"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name === "@mcp-codegen" || name.startsWith(".")) continue;
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  for (const { folder: place, name } of own)
    symlinkSync(join(folder, place), join(folder, "node_modules", name));
}

function conversation(ids: readonly string[]): string {
  return `import { memoryPair } from "@mcp-codegen/runtime/memory";
for (const revision of ${JSON.stringify(ids)}) {
  const { Client, Server } = await import("@mcp-codegen/" + revision);
  const info = { name: "x", version: "1" };
  const server = new Server(info, { "tools/call": () => ({ content: [{ type: "text", text: "hello" }] }) });
  const client = new Client(info);
  const [near, far] = memoryPair();
  await server.connect(far);
  await client.connect(near);
  const { content } = await client.callTool({ name: "greet" });
  console.log(client.revision, content[0].text);
  await client.close();
}
`;
}
