import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packages as workspaces } from "../../.github/packages.mjs";
import { type Import, importsOf, root, sources } from "./imports.js";
import { bundledExtension } from "../../generator/bundled/bundled.js";

const generator = sources("generator").flatMap(importsOf);
/** Other packages have their folders inside the runtime's. */
const nested = workspaces.filter((one) => one.folder.startsWith("runtime/"));
const runtimeSources = sources("runtime").filter((file) =>
  nested.every((one) => !file.startsWith(`${one.folder}/`)),
);
const runtime = runtimeSources.flatMap(importsOf);
const auth = sources("runtime/auth").flatMap(importsOf);
const contract = sources("runtime/contract").flatMap(importsOf);
const redis = sources("runtime/redis").flatMap(importsOf);
const sdk = sources("runtime/sdk").flatMap(importsOf);
const testing = sources("runtime/testing").flatMap(importsOf);
const bridge = sources("runtime/bridge").flatMap(importsOf);
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

  it("pages are composed of facts, then rendered, and no stage needs them", () => {
    const folders = ["collect", "markup", "pages"];
    const place = (path: string) => folders.indexOf(path.split("/")[2]!);
    const inside = generator.filter(({ to }) => to.startsWith("generator/docs/"));
    const wrong = inside.filter(({ from, to, typeOnly }) => {
      if (!from.startsWith("generator/docs/")) return folder(from) !== "cli";
      if (to.endsWith("docs/page.js")) return false;
      const isUpward = place(from) >= 0 && (place(to) < 0 || place(to) > place(from));
      return isUpward && !typeOnly;
    });
    expect(inside.length).toBeGreaterThan(10);
    expect(show(wrong)).toEqual([]);
    const parser = generator.filter(({ to }) => to === "markdown-it").map(({ from }) => from);
    expect(parser).toEqual(["generator/docs/markup/prose.ts"]);
  });

  it("ts-morph is imported by load, model and migrate only", () => {
    const wrong = generator.filter(
      ({ from, to }) => to === "ts-morph" && !["load", "model", "migrate"].includes(folder(from)),
    );
    expect(show(wrong)).toEqual([]);
  });

  it("the executable loads nothing heavy", () => {
    const heavy = ["ts-morph", "prettier", "handlebars", "@clack/prompts", "diff", "markdown-it"];
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
  /** The rooms, lowest first: a room imports only itself and lower rooms. */
  const rooms = [
    "ground",
    "wire",
    "api",
    "engine",
    "rules",
    "stateless",
    "session",
    "negotiation",
    "memory",
    "stdio",
    "http/client",
    "http/server",
    "features",
    "json-schema",
    "tasks",
    "opentelemetry",
    "facade",
    "skills",
    "apps",
  ];
  /** The packages that each subpath may load. */
  const packages: Readonly<Record<string, readonly string[]>> = {
    "runtime/facade/": ["@standard-schema/spec"],
    "runtime/features/uri-template/expand.ts": ["url-template"],
    "runtime/http/client/": ["eventsource-parser"],
    "runtime/json-schema/": ["@cfworker/json-schema"],
    "runtime/opentelemetry/": ["@opentelemetry/api"],
    "runtime/skills/": ["yaml"],
    "runtime/stdio/client/": ["cross-spawn"],
  };

  /** Returns the room of a path. `http/node` and `http/mounts` are doors of the HTTP server. */
  function roomOf(path: string): string | undefined {
    const inside = path
      .slice("runtime/".length)
      .replace(/^http\/(?:node|mounts)\//, "http/server/");
    return rooms.find((room) => inside.startsWith(`${room}/`));
  }
  /** The rooms that use the others as other packages do: through the public subpaths. */
  const outer = ["skills", "apps"];
  const isOuter = (path: string): boolean => outer.includes(roomOf(path) ?? "");
  const inside = runtime.filter(({ to }) => to.startsWith("runtime/"));

  it("keeps every file except the faces of the package in a room", () => {
    const loose = runtimeSources.filter((file) => roomOf(file) === undefined);
    expect(loose).toEqual([
      "runtime/codegen.ts",
      "runtime/codegen/session-client.ts",
      "runtime/codegen/session-server.ts",
      "runtime/codegen/stateless-client.ts",
      "runtime/codegen/stateless-server.ts",
      "runtime/index.ts",
    ]);
  });

  it("has no room that imports a higher one", () => {
    const wrong = inside.filter(({ from, to }) => {
      const [importer, imported] = [roomOf(from), roomOf(to)];
      if (importer === undefined || isOuter(from)) return false;
      return imported === undefined || rooms.indexOf(imported) > rooms.indexOf(importer);
    });
    expect(show(wrong)).toEqual([]);
  });

  it("enters other rooms by their face only", () => {
    const wrong = inside.filter(({ from, to }) => {
      const room = roomOf(to);
      if (room === roomOf(from) || isOuter(from)) return false;
      return !/^runtime\/(?:\w[\w-]*\/)+index\.js$/.test(to);
    });
    expect(show(wrong)).toEqual([]);
  });

  it("builds skills and views on public subpaths only", () => {
    const published = Object.values(
      manifest("runtime").exports as Record<string, { types?: string }>,
    )
      .flatMap(({ types }) => types ?? [])
      .map((types) => types.replace("./dist/", "runtime/").replace(".d.ts", ".js"));
    const users = inside.filter(({ from, to }) => isOuter(from) && roomOf(to) !== roomOf(from));
    expect(users.length).toBeGreaterThan(0);
    expect(show(users.filter(({ to }) => !published.includes(to)))).toEqual([]);
  });

  it("exports nothing from the face of a room that no other room and no subpath needs", () => {
    const published = new Set(
      Object.values(manifest("runtime").exports as Record<string, { types?: string }>).map(
        ({ types }) => types?.replace("./dist/", "runtime/").replace(".d.ts", ".ts"),
      ),
    );
    const faces = rooms
      .map((room) => `runtime/${room}/index.ts`)
      .filter((face) => !published.has(face) && existsSync(join(root, face)));
    const unused = faces.flatMap((face) => {
      const users = inside.filter(({ to }) => to === face.replace(".ts", ".js"));
      const used = new Set(users.flatMap(({ text }) => names(text)));
      const offered = names(readFileSync(join(root, face), "utf8"));
      return offered.filter((name) => !used.has(name)).map((name) => `${face}: ${name}`);
    });
    expect(faces.length).toBeGreaterThan(5);
    expect(unused).toEqual([]);
  });

  it("imports packages only in subpaths that exist for them", () => {
    const outside = runtime.filter(
      ({ to }) => !to.startsWith("runtime/") && !to.startsWith("node:"),
    );
    const wrong = outside.filter(
      ({ from, to }) =>
        !Object.entries(packages).some(
          ([place, allowed]) => from.startsWith(place) && allowed.includes(to),
        ),
    );
    expect(show(wrong)).toEqual([]);
    const { dependencies, peerDependencies, devDependencies } = manifest("runtime");
    expect([...new Set(outside.map(({ to }) => to))].toSorted()).toEqual(
      Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies }).toSorted(),
    );
  });

  it("uses Node only for processes and Node's own servers", () => {
    const wrong = runtime.filter(
      ({ from, to }) =>
        to.startsWith("node:") &&
        !/^runtime\/(stdio|http\/(node|mounts)|skills\/node)\//.test(from),
    );
    expect(show(wrong)).toEqual([]);
  });

  it("names no revision", () => {
    const others = nested.filter(({ name }) => name !== "@mcp-codegen/sdk");
    const files = others.flatMap((one) => sources(one.folder));
    const wrong = [...runtimeSources, ...files].filter((file) =>
      /20\d\d-\d\d-\d\d/.test(withoutComments(readFileSync(join(root, file), "utf8"))),
    );
    expect(wrong).toEqual([]);
  });
});

describe("authorization", () => {
  /** The folders, lowest first. */
  const folders = ["server", "client", "node"];
  const packages: Readonly<Record<string, readonly string[]>> = {
    "runtime/auth/client/": ["oauth4webapi", "@mcp-codegen/runtime/http/client"],
    "runtime/auth/server/": ["jose", "oauth4webapi", "@mcp-codegen/runtime/http/server"],
    "runtime/auth/node/": [],
  };
  const folderOf = (path: string): number => folders.indexOf(path.split("/")[2]!);

  it("separates the code that needs Node, and uses the rest by its face", () => {
    const inside = auth.filter(({ to }) => to.startsWith("runtime/"));
    const wrong = inside.filter(({ from, to }) => {
      const [importer, imported] = [folderOf(from), folderOf(to)];
      // Clients and servers share the rules for addresses and options.
      if (importer === imported || /^runtime\/auth\/[\w-]+\.js$/.test(to)) return false;
      return imported < 0 || imported > importer || !to.endsWith("/index.js");
    });
    expect(inside.length).toBeGreaterThan(0);
    expect(show(wrong)).toEqual([]);
    const builtIn = auth.filter(
      ({ from, to, typeOnly }) =>
        to.startsWith("node:") && !typeOnly && !from.startsWith("runtime/auth/node/"),
    );
    expect(show(builtIn)).toEqual([]);
  });

  it("imports the runtime by its subpaths, and the packages that its manifest names", () => {
    const outside = auth.filter(({ to }) => !/^(?:runtime\/|node:)/.test(to));
    const wrong = outside.filter(
      ({ from, to }) =>
        !Object.entries(packages).some(
          ([place, allowed]) => from.startsWith(place) && allowed.includes(to),
        ),
    );
    expect(show(wrong)).toEqual([]);
    const imported = outside.map(({ to }) => to.replace(/^(@[^/]+\/[^/]+).*/, "$1"));
    expect([...new Set(imported)].toSorted()).toEqual(
      Object.keys(manifest("runtime/auth").dependencies).toSorted(),
    );
  });
});

describe("Redis", () => {
  it("declares the clients of others in a file that imports nothing", () => {
    const file = "runtime/redis/connection.ts";
    expect(redis.some(({ to }) => to.replace(/\.js$/, ".ts") === file)).toBe(true);
    expect(show(redis.filter(({ from }) => from === file))).toEqual([]);
  });

  it("imports the runtime by its subpaths, and no client: that is the program's own", () => {
    const outside = redis.filter(({ to }) => !to.startsWith("runtime/"));
    const imported = outside.map(({ to }) => to.replace(/^(@[^/]+\/[^/]+|[^/]+).*/, "$1"));
    expect([...new Set(imported)].toSorted()).toEqual(
      Object.keys(manifest("runtime/redis").dependencies).toSorted(),
    );
  });
});

describe("contracts", () => {
  it("use the runtime and the generator by their public subpaths only", () => {
    const outside = contract.filter(({ to }) => !/^(?:runtime\/contract\/|node:)/.test(to));
    const imported = outside.map(({ to }) => to.replace(/^(@[^/]+\/[^/]+|[^/]+).*/, "$1"));
    const { dependencies, peerDependencies } = manifest("runtime/contract");
    const named = Object.keys({ ...dependencies, ...peerDependencies });
    expect(outside.length).toBeGreaterThan(0);
    expect([...new Set(imported)].filter((name) => !named.includes(name))).toEqual([]);
  });

  it("need the generator for commands only, not at the run time of generated code", () => {
    const wrong = contract.filter(
      ({ from, to }) =>
        from.split("/").length === 3 && (to.startsWith("mcp-codegen") || to.startsWith("node:")),
    );
    expect(show(wrong)).toEqual([]);
  });

  it("have no part in the runtime and the generator except the stubs of their commands", () => {
    const wrong = [...runtime, ...generator].filter(({ to }) => to.includes("contract/"));
    expect(show(wrong)).toEqual([]);
  });
});

describe("tapes and the test kit", () => {
  it("use other packages by their public subpaths, and those that the manifest names only", () => {
    const outside = testing.filter(({ to }) => !/^(?:runtime\/testing\/|node:)/.test(to));
    const imported = outside.map(({ to }) => to.replace(/^(@[^/]+\/[^/]+|[^/]+).*/, "$1"));
    const { dependencies, peerDependencies } = manifest("runtime/testing");
    const named = Object.keys({ ...dependencies, ...peerDependencies });
    expect(testing.length).toBeGreaterThan(0);
    expect([...new Set(imported)].filter((name) => !named.includes(name))).toEqual([]);
  });

  it("have no part in the runtime and the generator except the stubs of their commands", () => {
    const wrong = [...runtime, ...generator].filter(({ to }) => to.includes("testing/"));
    expect(show(wrong)).toEqual([]);
  });
});

describe("the bridge", () => {
  it("uses other packages by their public subpaths, and those that the manifest names only", () => {
    const outside = bridge.filter(({ to }) => !/^(?:runtime\/bridge\/|node:)/.test(to));
    const { dependencies, peerDependencies } = manifest("runtime/bridge");
    const named = Object.keys({ ...dependencies, ...peerDependencies });
    const wrong = outside.filter(({ to }) => {
      const name = named.find((one) => to === one || to.startsWith(`${one}/`));
      if (name === undefined) return true;
      const owner = workspaces.find((one) => one.name === name)!;
      const subpath = `.${to.slice(name.length)}`;
      return !Object.hasOwn(owner.manifest.exports, subpath);
    });
    expect(outside.length).toBeGreaterThan(0);
    expect(show(wrong)).toEqual([]);
  });

  it("has no part in the runtime and the generator except the stub of its command", () => {
    const wrong = [...runtime, ...generator].filter(({ to }) => to.includes("bridge/"));
    expect(show(wrong)).toEqual([]);
    const lower = runtimeSources.filter((file) =>
      /\bbridge\b/i.test(readFileSync(join(root, file), "utf8")),
    );
    expect(lower).toEqual([]);
  });
});

describe("shapes of the official SDK", () => {
  /** The folders, lowest first. */
  const folders = ["shared", "client", "server", "hosts"];
  const folderOf = (path: string): number => folders.indexOf(path.split("/")[2]!);

  it("separates client and server, which share common files", () => {
    const inside = sdk.filter(({ to }) => to.startsWith("runtime/"));
    const wrong = inside.filter(({ from, to }) => {
      const [importer, imported] = [folderOf(from), folderOf(to)];
      if (importer === imported) return false;
      const isAcross =
        from.startsWith("runtime/sdk/server/") && to.startsWith("runtime/sdk/client/");
      return imported < 0 || imported > importer || isAcross || !to.endsWith("/index.js");
    });
    expect(inside.length).toBeGreaterThan(0);
    expect(show(wrong)).toEqual([]);
  });

  it("imports the packages that its manifest names", () => {
    const outside = sdk.filter(({ to }) => !/^(?:runtime\/|node:)/.test(to));
    const imported = outside.map(({ to }) => to.replace(/^(@[^/]+\/[^/]+|[^/]+).*/, "$1"));
    const { dependencies, peerDependencies, devDependencies } = manifest("runtime/sdk");
    // Development dependencies are bundled.
    const named = Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies });
    expect([...new Set(imported)].filter((name) => !named.includes(name))).toEqual([]);
  });
});

describe("generated", () => {
  it("imports its own folder and the modules of the runtime made for it, features.ts the features too", () => {
    const wrong = generated.filter(
      ({ from, to }) =>
        !from.startsWith("generated/universal/") &&
        !/^@mcp-codegen\/runtime\/codegen(?:\/(?:session|stateless)-(?:client|server))?$/.test(
          to,
        ) &&
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
        const [, extension = ""] = /extensions\/([^/]+)\//.exec(from) ?? [];
        if (to.startsWith(`@mcp-codegen/${bundledExtension(extension)?.extends}/`)) return false;
        return to !== `@mcp-codegen/${id}/methods` && !from.endsWith("/types.ts");
      }
      const behaviour = /^generated\/universal\/(\w+)\.ts$/.exec(from)?.[1] ?? "";
      if (bundledExtension(behaviour) && to === `@mcp-codegen/runtime/${behaviour}`) return false;
      return !/^@mcp-codegen\/runtime\/(?:codegen$|stdio$|http\/server$|facade\/)/.test(to);
    });
    expect(universal.length).toBeGreaterThan(0);
    expect(show(wrong)).toEqual([]);
  });
});

function manifest(path: string) {
  return JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
}

/** Returns the names that `{ … }` lists in imports and exports. */
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
