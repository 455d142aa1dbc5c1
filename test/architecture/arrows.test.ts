import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Import, importsOf, root, sources } from "./imports.js";

const generator = sources("generator").flatMap(importsOf);
const runtime = sources("runtime").flatMap(importsOf);
const generated = sources("generated").flatMap(importsOf);

const show = (imports: Import[]) => imports.map(({ from, to }) => `${from} -> ${to}`);
const folder = (path: string) => path.split("/")[1]!;

describe("generator", () => {
  const stages = ["load", "model", "link", "evolve", "plan", "emit", "format", "output"];

  it("no stage imports a later one", () => {
    const wrong = generator.filter(({ from, to }) => {
      const [importer, imported] = [stages.indexOf(folder(from)), stages.indexOf(folder(to))];
      return to.startsWith("generator/") && importer >= 0 && imported > importer;
    });
    expect(show(wrong)).toEqual([]);
  });

  it("no stage imports the command line", () => {
    const wrong = generator.filter(
      ({ from, to }) => to.startsWith("generator/cli/") && folder(from) !== "cli",
    );
    expect(show(wrong)).toEqual([]);
  });

  it("ts-morph is imported by load and model only", () => {
    const wrong = generator.filter(
      ({ from, to }) => to === "ts-morph" && !["load", "model"].includes(folder(from)),
    );
    expect(show(wrong)).toEqual([]);
  });

  it("the executable loads nothing heavy", () => {
    const heavy = ["ts-morph", "prettier", "handlebars", "@clack/prompts", "diff"];
    const reached = new Set<string>();
    const visit = (file: string) => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const { from, to, typeOnly, dynamic } of generator) {
        if (from === file && !typeOnly && !dynamic) visit(to.replace(/\.js$/, ".ts"));
      }
    };
    visit("generator/cli/bin.ts");
    expect(reached.size).toBeGreaterThan(1);
    expect(heavy.filter((name) => reached.has(name))).toEqual([]);
  });
});

describe("runtime", () => {
  it("has no dependency and does not reach into other folders", () => {
    const wrong = runtime.filter(({ to }) => !to.startsWith("runtime/") && !to.startsWith("node:"));
    expect(show(wrong)).toEqual([]);
  });

  it("only the process transports touch Node", () => {
    const wrong = runtime.filter(
      ({ from, to }) => to.startsWith("node:") && !from.startsWith("runtime/transport/stdio"),
    );
    expect(show(wrong)).toEqual([]);
  });

  it("transports know neither client nor server", () => {
    const wrong = runtime.filter(
      ({ from, to, typeOnly }) =>
        !typeOnly &&
        from.startsWith("runtime/transport/") &&
        /^runtime\/(client|server|lifecycle)/.test(to),
    );
    expect(show(wrong)).toEqual([]);
  });

  it("names no revision", () => {
    const wrong = sources("runtime").filter((file) =>
      /20\d\d-\d\d-\d\d/.test(withoutComments(readFileSync(join(root, file), "utf8"))),
    );
    expect(wrong).toEqual([]);
  });
});

describe("generated", () => {
  it("imports its own folder and one module of the runtime", () => {
    const wrong = generated.filter(
      ({ from, to }) =>
        to !== "@mcp-codegen/runtime/codegen" &&
        !to.startsWith(from.slice(0, from.lastIndexOf("/") + 1)),
    );
    expect(generated.length).toBeGreaterThan(0);
    expect(show(wrong)).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
}
