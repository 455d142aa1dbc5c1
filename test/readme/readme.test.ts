import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";
import { snippets } from "./snippets.js";

const folder = join(root, "test/readme/tmp");
const cli = join(root, "generator/dist/cli/bin.js");
const readmes = [
  "README.md",
  "runtime/README.md",
  "runtime/GUIDE.md",
  "runtime/uri-template/README.md",
];
const all = readmes.flatMap((readme) =>
  snippets(readFileSync(join(root, readme), "utf8")).map((snippet) => ({ readme, ...snippet })),
);
const configurations = all.filter(({ language }) => language === "js");
const programs = all
  .filter(({ language }) => language === "ts")
  .map((program) => ({
    ...program,
    file: join(folder, `${program.readme.replaceAll(/\W/g, "-")}-line-${program.line}.ts`),
  }));

/** What a program says that it prints: its `// …` comments behind `console.log(…);`. */
const promised = (text: string) =>
  [...text.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, said]) => said);

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { file, text } of programs) writeFileSync(file, `${text}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the READMEs", () => {
  it("show code", () => {
    expect(new Set(programs.map(({ readme }) => readme)).size).toBe(readmes.length);
  });

  it("type-check", async () => {
    const config = { extends: "../../../tsconfig.json", include: ["."], exclude: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", folder]);
    expect(stdout).toBe("");
  });

  it.each(programs)("print what they say, $readme line $line", async ({ file, text }) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    await import(/* @vite-ignore */ file);
    const printed = log.mock.calls.map(([value]) =>
      typeof value === "string" ? value : JSON.stringify(value),
    );
    log.mockRestore();
    expect(printed).toEqual(promised(text));
  });

  it("name the archives that npm packs", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const named = [...readme.matchAll(/\bmcp-codegen-\S+\.tgz/g)].map(([archive]) => archive);
    const packed = ["runtime", "generated/2025-11-25"].map((path) => {
      const { name, version } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
      return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
    });
    expect(named).toEqual(packed);
  });

  it.each(configurations)("have a configuration that works, line $line", async ({ text }) => {
    const config = join(folder, "mcp-codegen.config.js");
    writeFileSync(config, text);
    const args = [cli, "--config", config, "--dry-run", "--json"];
    const { code, stdout } = await run(process.execPath, args, { cwd: folder });
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("src/mcp/2025-06-18");
  });
});
