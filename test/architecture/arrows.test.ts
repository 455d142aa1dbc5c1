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
  /** Packages that a part of its own may use, all of them optional peers. */
  const peers: Readonly<Record<string, string>> = {
    "runtime/transport/stdio-client.ts": "cross-spawn",
    "runtime/http-client/": "eventsource-parser",
    "runtime/json-schema/": "@cfworker/json-schema",
    "runtime/uri-template/": "url-template",
  };
  const isOutside = ({ to }: Import) => !to.startsWith("runtime/") && !to.startsWith("node:");
  const partOf = (file: string) => Object.keys(peers).find((part) => file.startsWith(part));

  it("imports packages only in the parts that are made for them, and no other folder", () => {
    const wrong = runtime.filter(
      (one) => isOutside(one) && peers[partOf(one.from) ?? ""] !== one.to,
    );
    expect(show(wrong)).toEqual([]);
  });

  it("reaches those parts from nowhere else", () => {
    const wrong = runtime.filter(
      ({ from, to, typeOnly }) =>
        !typeOnly && partOf(to.replace(/\.js$/, ".ts")) !== undefined && partOf(from) === undefined,
    );
    expect(show(wrong)).toEqual([]);
  });

  it("touches Node only where it deals with processes and Node's own servers", () => {
    const wrong = runtime.filter(
      ({ from, to }) => to.startsWith("node:") && !/^runtime\/(transport\/stdio|node\/|mounts\/)/.test(from),
    );
    expect(show(wrong)).toEqual([]);
  });

  it("declares each package as an optional peer", () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
      readFileSync(join(root, "runtime/package.json"), "utf8"),
    );
    const used = [...new Set(runtime.filter(isOutside).map(({ to }) => to))].toSorted();
    expect(dependencies).toBeUndefined();
    expect(Object.keys(peerDependencies).toSorted()).toEqual(used);
    expect(Object.keys(peerDependenciesMeta).toSorted()).toEqual(used);
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
  it("imports its own folder and one module of the runtime, features.ts the features too", () => {
    const wrong = generated.filter(
      ({ from, to }) =>
        to !== "@mcp-codegen/runtime/codegen" &&
        !(to === "@mcp-codegen/runtime/features" && from.endsWith("/features.ts")) &&
        !to.startsWith(from.slice(0, from.lastIndexOf("/") + 1)),
    );
    expect(generated.length).toBeGreaterThan(0);
    expect(show(wrong)).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
}
