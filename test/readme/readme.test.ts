import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { connect } from "@mcp-codegen/universal";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bundle } from "../support/bundle.js";
import { packages } from "../../.github/packages.mjs";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";
import { pages } from "./pages.js";
import { snippets } from "./snippets.js";

const folder = join(root, "test/readme/tmp");
const cli = join(root, "generator/dist/cli/bin.js");
/** The pages that consist of tables and text. */
const withoutCode = [
  "README",
  "adding-a-revision",
  "architecture",
  "checks",
  "cli",
  "client-checks",
  "doctor-checks",
  "errands",
  "errors",
  "facts",
  "glossary",
  "known-gaps",
  "options",
  "packages",
  "reference-site",
  "schemas",
  "security",
  "show",
  "transport-options",
]
  .map((name) => `runtime/docs/${name}.md`)
  .concat("runtime/sdk/README.md");
const readmes = [
  "README.md",
  ...packages
    .filter((one) => one.folder !== "." && !one.isGenerated)
    .map((one) => `${one.folder}/README.md`),
  ...pages,
  "generated/universal/README.md",
];
const all = readmes.flatMap((readme) =>
  snippets(readFileSync(join(root, readme), "utf8")).map((snippet) => ({ readme, ...snippet })),
);
const configurations = all.filter(({ language }) => language === "js");
const isStdioServer = ({ text }: { text: string }): boolean => text.includes("await serveStdio(");

/** A program may begin with its file name, by which other programs in the same text find it. */
const programs = all
  .filter(({ language }) => language === "ts")
  .map((program) => {
    const given = isStdioServer(program) ? "server.ts" : `line-${program.line}.ts`;
    const name = /^\/\/ (\w+\.ts)$/m.exec(program.text)?.[1] ?? given;
    return { ...program, file: join(folder, program.readme.replaceAll(/\W/g, "-"), name) };
  });
const stdioServers = programs.filter(isStdioServer);

/** The command lines that generate from a schema on the same page. */
const generations = all
  .filter(({ language }) => language === "sh")
  .flatMap(({ readme, text }) => {
    const lines = text.matchAll(/^npx mcp-codegen (.*--schema (\S+).*)$/gm);
    return [...lines].flatMap(([, words = "", name = ""]) => {
      const schema = programs.find(
        ({ readme: page, file }) => page === readme && basename(file) === name,
      );
      return schema ? [{ readme, words, cwd: dirname(schema.file) }] : [];
    });
  });

/** Returns the output that a program promises: its `// …` comments after `console.log(…);`. */
const promised = (text: string) =>
  [...text.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, said]) => said);

const built = (file: string): string => join(dirname(file), basename(file).replace(".ts", ".js"));

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { file, text } of programs) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${text}\n`);
  }
  for (const { words, cwd } of generations) {
    const { code, stderr } = await run(process.execPath, [cli, ...words.split(" ")], { cwd });
    expect(code, stderr).toBe(0);
  }
  await Promise.all(stdioServers.map(({ file }) => bundle(file, built(file))));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the READMEs", () => {
  it("show code", () => {
    const expected = readmes.filter((readme) => !withoutCode.includes(readme));
    expect([...new Set(programs.map(({ readme }) => readme))]).toEqual(expected);
  });

  it("type-check", async () => {
    const config = { extends: "../../../tsconfig.json", include: ["."], exclude: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", folder]);
    expect(stdout).toBe("");
  });

  it.each(stdioServers)("work as documented, $readme line $line", async ({ file, text }) => {
    const client = await connect({ command: process.execPath, args: [built(file)] });
    const { tools } = await client.listTools();
    await client.close();
    const registered = [...text.matchAll(/registerTool\(\s*"(\w+)"/g)].map(([, name]) => name);
    expect(tools.map(({ name }) => name)).toEqual(registered);
  });

  const others = programs.filter((program) => !isStdioServer(program));
  it.each(others)("print the documented output, $readme line $line", async ({ file, text }) => {
    const before = process.cwd();
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const calls = log.mock.calls;
    try {
      process.chdir(dirname(file));
      await import(/* @vite-ignore */ file);
    } finally {
      process.chdir(before);
      log.mockRestore();
    }
    const printed = calls.map(([value]) =>
      typeof value === "string" ? value : JSON.stringify(value),
    );
    expect(printed).toEqual(promised(text));
  });

  it("name all packages", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const [, table = ""] = /^## Packages$([^#]*)/m.exec(readme) ?? [];
    const named = [...table.matchAll(/^\| `(.+?)`/gm)].map(([, name]) => name);
    const expected = packages.map(({ name }) => name.replace(/\d{4}-\d\d-\d\d$/, "<revision>"));
    expect(named.toSorted()).toEqual([...new Set(expected)].toSorted());
  });

  it("show a schema, and a command that generates from it without a warning", async () => {
    expect(generations).toHaveLength(1);
    const { words, cwd } = generations[0]!;
    const args = [cli, ...words.split(" "), "--check", "--json"];
    const { code, stdout } = await run(process.execPath, args, { cwd });
    expect(code, stdout).toBe(0);
    expect(JSON.parse(stdout).diagnostics).toEqual([]);
  });

  it("show a configuration", () => {
    expect(configurations).toHaveLength(1);
  });

  it.each(configurations)("have a configuration that works, line $line", async ({ text }) => {
    const config = join(folder, "mcp-codegen.config.js");
    writeFileSync(config, text);
    const args = [cli, "--config", config, "--dry-run", "--json"];
    const { code, stdout } = await run(process.execPath, args, { cwd: folder });
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("packages/2025-06-18");
  });
});
