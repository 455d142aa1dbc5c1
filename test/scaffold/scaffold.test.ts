import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../support/run.js";
import { type Peer, PEERS, type Place } from "./peers.js";
import { type Flavor, FLAVORS, type Kind, KINDS, Projects } from "./projects.js";
import { serve, type Serving } from "./serve.js";
import { itWhere } from "../support/conditional.js";

const projects = new Projects();
beforeAll(() => projects.create(), 300_000);
afterAll(() => projects.remove());

/** Returns true if a client of one flavor and a server of another have a revision in common. */
const understand = (client: Flavor, server: Flavor): boolean =>
  client === server || client === "universal" || server === "universal";

/** The Node arguments that start a server over HTTP. */
const STARTS = {
  "http-server": ["dist/index.js"],
  "fetch-server": ["--import", "tsx", "local.ts"],
} as const;

/** The number of a project's own tests; servers of all revisions are also judged. */
const OWN_TESTS: Readonly<Record<Kind, number>> = {
  "stdio-server": 3,
  "http-server": 3,
  "fetch-server": 4,
  client: 2,
};

describe.each(KINDS)("%s", (kind) => {
  describe.each(FLAVORS)("%s", (flavor) => {
    it("type-checks and passes its own tests over a real transport", async () => {
      const { code, stdout, stderr } = await run("npm", ["test"], {
        cwd: projects.of(kind, flavor),
      });
      expect(code, stdout + stderr).toBe(0);
      const isJudged = flavor === "universal" && kind !== "client";
      const count = OWN_TESTS[kind] + (isJudged ? 1 : 0);
      expect(stdout).toMatch(new RegExp(`pass ${count}\\b`));
    }, 120_000);

    it("has everything that a project needs, and depends on one protocol package", () => {
      const files = [".gitignore", "AGENTS.md", "README.md", "package.json", "tsconfig.json"];
      const own = kind === "stdio-server" ? [".mcp.json", ".vscode/mcp.json"] : [];
      const project = projects.of(kind, flavor);
      expect([...files, ...own].filter((file) => !existsSync(join(project, file)))).toEqual([]);
      const { scripts, dependencies } = projects.manifest(kind, flavor);
      expect(Object.keys(scripts!)).toEqual(
        expect.arrayContaining(["dev", "start", "test", "typecheck"]),
      );
      const protocol = Object.keys(dependencies!).filter((name) => /\/(universal|\d)/.test(name));
      expect(protocol).toEqual([`@mcp-codegen/${flavor}`]);
    });

    itWhere(kind !== "fetch-server")("is built by its installation", () => {
      expect(existsSync(join(projects.of(kind, flavor), "dist/index.js"))).toBe(true);
    });
  });
});

describe.each(FLAVORS)("fetch-server %s", (flavor) => {
  it("needs no Node API once it is bundled", async () => {
    const input = join(projects.of("fetch-server", flavor), "src/index.ts");
    const bundle = await rolldown({ input, platform: "browser", logLevel: "silent" });
    const { output } = await bundle.generate();
    const imports = output.flatMap((part) => (part.type === "chunk" ? part.imports : []));
    const own = new Set(output.map(({ fileName }) => fileName));
    expect(imports.filter((name) => !own.has(name))).toEqual([]);
  });

  it("has no Node API in its sources", () => {
    const project = projects.of("fetch-server", flavor);
    for (const name of ["handler", "index", "notes", "server"]) {
      const text = readFileSync(join(project, `src/${name}.ts`), "utf8");
      expect(text).not.toMatch(/node:|\/node"|\bprocess\.|\bBuffer\b/);
    }
  });
});

/** Sends requests to the scaffold's server as a third party would. */
async function converse(connect: (place: Place) => Promise<Peer>, place: Place): Promise<void> {
  const peer = await connect(place);
  try {
    const { tools: listed } = await peer.listTools();
    expect(listed.map(({ name }) => name)).toEqual(["add_note"]);
    const added = await peer.callTool({ name: "add_note", arguments: { text: "Buy milk" } });
    expect(added.content).toEqual([{ type: "text", text: "Kept as note 1." }]);
    const wrong = await peer.callTool({ name: "add_note", arguments: { text: 1 } });
    expect(wrong.isError).toBe(true);
    await expect(peer.callTool({ name: "constructor" })).rejects.toMatchObject({ code: -32602 });
    const { contents } = await peer.readResource({ uri: "notes://all" });
    expect(contents).toEqual([{ uri: "notes://all", mimeType: "text/plain", text: "1. Buy milk" }]);
    const requested = { name: "summarize_notes", arguments: { style: "a haiku" } };
    expect(JSON.stringify((await peer.getPrompt(requested)).messages)).toMatch(/a haiku.*Buy milk/);
  } finally {
    await peer.close();
  }
}

describe.each(PEERS)("the official client for %s", (revision, connect) => {
  const flavors = FLAVORS.filter((flavor) => understand(revision, flavor));

  it.each(flavors)("drives stdio-server %s", async (flavor) => {
    const args = [join(projects.of("stdio-server", flavor), "dist/index.js")];
    await converse(connect, { command: process.execPath, args });
  });

  it.each(
    flavors.flatMap((flavor) =>
      Object.entries(STARTS).map(([kind, args]) => ({ kind, flavor, args })),
    ),
  )("drives $kind $flavor", async ({ kind, flavor, args }) => {
    const serving = await serve(projects.of(kind as Kind, flavor), args);
    try {
      await converse(connect, new URL(serving.url));
    } finally {
      await serving.close();
    }
  });
});

describe.each(FLAVORS)("client %s", (flavor) => {
  const servers = FLAVORS.filter((server) => understand(flavor, server));
  const call = async (target: string) => {
    const program = join(projects.of("client", flavor), "dist/index.js");
    return run(process.execPath, [program, target, "add_note", '{"text":"Buy milk"}']);
  };
  const expected = /^Revision \d{4}-\d\d-\d\d\nadd_note: .+\nKept as note 1\.\n$/;

  it.each(servers)("calls a tool of stdio-server %s", async (server) => {
    const program = join(projects.of("stdio-server", server), "dist/index.js");
    const { code, stdout, stderr } = await call(`${process.execPath} ${program}`);
    expect(stdout, stderr).toMatch(expected);
    expect(code).toBe(0);
  });

  describe.each(servers)("over HTTP, %s", (server) => {
    let serving: Serving;
    beforeAll(async () => {
      serving = await serve(projects.of("http-server", server), STARTS["http-server"]);
    });
    afterAll(() => serving.close());

    it("calls a tool", async () => {
      const { code, stdout, stderr } = await call(serving.url);
      expect(stdout, stderr).toMatch(expected);
      expect(code).toBe(0);
    });
  });

  it("prints its usage", async () => {
    const { code, stderr } = await run(process.execPath, [
      join(projects.of("client", flavor), "dist/index.js"),
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("URL");
  });
});
