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
  /** Parts that are packages of their own, with their sources and the package that they need. */
  const parts: Readonly<
    Record<string, { sources: RegExp; needs?: string; parts?: readonly string[] }>
  > = {
    facade: {
      sources: /^runtime\/facade\//,
      needs: "@standard-schema/spec",
      parts: ["http-client", "json-schema", "stdio-client"],
    },
    "http-client": { sources: /^runtime\/http-client\//, needs: "eventsource-parser" },
    "http-server": { sources: /^runtime\/http-server\// },
    "json-schema": { sources: /^runtime\/json-schema\//, needs: "@cfworker/json-schema" },
    opentelemetry: { sources: /^runtime\/opentelemetry\//, needs: "@opentelemetry/api" },
    "stdio-client": {
      sources: /^runtime\/(stdio-client\/|transport\/stdio-client\.ts)/,
      needs: "cross-spawn",
    },
    tasks: { sources: /^runtime\/tasks\// },
    "uri-template": { sources: /^runtime\/uri-template\//, needs: "url-template" },
  };
  const partOf = (path: string) =>
    Object.keys(parts).find((part) => parts[part]!.sources.test(path.replace(/\.js$/, ".ts")));

  it("imports packages only in the parts that are made for them, and no other folder", () => {
    const wrong = runtime.filter(
      (one) => isOutside(one) && parts[partOf(one.from) ?? ""]?.needs !== one.to,
    );
    expect(show(wrong)).toEqual([]);
  });

  it("reaches those parts from nowhere else, but for the entries of those that a part builds on", () => {
    const wrong = runtime.filter(({ from, to }) => {
      const [part, user] = [partOf(to), partOf(from)];
      if (part === undefined || part === user) return false;
      return !parts[user ?? ""]?.parts?.includes(part) || !to.endsWith("/index.js");
    });
    expect(show(wrong)).toEqual([]);
  });

  it("has in internal.ts what the parts import of the rest", () => {
    const internal = names(readFileSync(join(root, "runtime/internal.ts"), "utf8"));
    const copied = /^runtime\/transport\/stdio-/;
    const needed = runtime.filter(
      ({ from, to }) =>
        partOf(from) && to.startsWith("runtime/") && !partOf(to) && !copied.test(to),
    );
    const missing = needed.flatMap(({ from, text }) =>
      names(text)
        .filter((name) => !internal.includes(name))
        .map((name) => `${from}: ${name}`),
    );
    expect(needed.length).toBeGreaterThan(0);
    expect(missing).toEqual([]);
  });

  it("depends on nothing", () => {
    const { dependencies, peerDependencies, optionalDependencies } = manifest("runtime");
    expect({ ...dependencies, ...peerDependencies, ...optionalDependencies }).toEqual({});
  });

  it.each(Object.keys(parts))("%s depends on this very runtime, and on what it imports", (part) => {
    const { name, version, dependencies, ...others } = manifest(`runtime/${part}`);
    const used = runtime.filter((one) => isOutside(one) && partOf(one.from) === part);
    const built = (parts[part]!.parts ?? []).map((other) => `@mcp-codegen/${other}`);
    expect(name).toBe(`@mcp-codegen/${part}`);
    expect(version).toBe(manifest("runtime").version);
    expect(dependencies["@mcp-codegen/runtime"]).toBe(version);
    const declared = { ...dependencies, ...others.peerDependencies, ...others.devDependencies };
    expect(Object.keys(declared).toSorted()).toEqual(
      [...new Set(["@mcp-codegen/runtime", ...built, ...used.map(({ to }) => to)])].toSorted(),
    );
  });

  it("touches Node only where it deals with processes and Node's own servers", () => {
    const wrong = runtime.filter(
      ({ from, to }) =>
        to.startsWith("node:") &&
        !/^runtime\/(transport\/stdio|http-server\/(node|mounts)\/)/.test(from),
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
  it("imports its own folder and one module of the runtime, features.ts the features too", () => {
    const wrong = generated.filter(
      ({ from, to }) =>
        !from.startsWith("generated/universal/") &&
        to !== "@mcp-codegen/runtime/codegen" &&
        !(to === "@mcp-codegen/runtime/features" && from.endsWith("/features.ts")) &&
        !to.startsWith(from.slice(0, from.lastIndexOf("/") + 1)),
    );
    expect(generated.length).toBeGreaterThan(0);
    expect(show(wrong)).toEqual([]);
  });

  it("has the one package for all revisions import the facade, and each revision in one place only", () => {
    const universal = generated.filter(({ from }) => from.startsWith("generated/universal/"));
    const wrong = universal.filter(({ from, to }) => {
      if (to.startsWith("generated/universal/")) return false;
      if (/^@mcp-codegen\/\d/.test(to)) {
        const [, id] = /revisions\/(.*)\.ts$/.exec(from) ?? [];
        return to !== `@mcp-codegen/${id}` && !from.endsWith("/types.ts");
      }
      return !/^@mcp-codegen\/(?:facade\/|http-server$|runtime\/(?:codegen|stdio)$)/.test(to);
    });
    expect(universal.length).toBeGreaterThan(0);
    expect(show(wrong)).toEqual([]);
  });
});

/** Whether it is of a package, or of another folder than the runtime. */
function isOutside({ to }: Import): boolean {
  return !to.startsWith("runtime/") && !to.startsWith("node:");
}

function manifest(path: string) {
  return JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
}

/** What `{ … }` lists in imports and exports. */
function names(text: string): string[] {
  return [...text.matchAll(/(?:import|export)[^;{]*\{([^}]*)\}/g)]
    .flatMap(([, list]) => list!.split(","))
    .map(
      (name) =>
        name
          .trim()
          .replace(/^type /, "")
          .split(" as ")[0]!,
    )
    .filter((name) => name !== "");
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
}
