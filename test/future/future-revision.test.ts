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
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Revision } from "../../runtime/wire/revision/revision.js";
import type { Validator } from "../../runtime/wire/validation/validator.js";
import { root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";
import { futureFacts, futureSchema } from "./future-schema.js";
import { envelope, Talk } from "./talk.js";

const id = "2027-03-31";
const cli = join(root, "generator/dist/cli/bin.js");
const bundled = readdirSync(join(root, "schema"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "extensions")
  .map(({ name }) => name)
  .toSorted();
let folder: string;
let schema: string;
let generated: { revision: Revision; validators: Record<string, Validator> };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-future-"));
  schema = join(folder, "future.ts");
  linkPackages();
  const facts = join(folder, "facts.json");
  writeFileSync(schema, futureSchema());
  writeFileSync(facts, futureFacts(id));
  const revisions = [...bundled, id].flatMap((one) => ["--revision", one]);
  const own = ["--schema", schema, "--facts", facts];
  const args = [cli, "--universal", ...own, ...revisions, "--out", join(folder, "out")];
  await runOrThrow(process.execPath, args, { cwd: folder });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Links all packages as they are here, except those that were generated again. */
function linkPackages(): void {
  const [own, ours] = [join(folder, "node_modules"), join(root, "node_modules")];
  mkdirSync(join(own, "@mcp-codegen"), { recursive: true });
  for (const name of readdirSync(ours).filter((one) => one !== "@mcp-codegen")) {
    symlinkSync(join(ours, name), join(own, name));
  }
  for (const name of readdirSync(join(ours, "@mcp-codegen"))) {
    if (name !== "universal")
      symlinkSync(join(ours, "@mcp-codegen", name), join(own, "@mcp-codegen", name));
  }
  for (const name of [id, "universal"]) {
    symlinkSync(join(folder, "out", name), join(own, "@mcp-codegen", name));
  }
}

it("a future revision type-checks and builds, alone and with all others", async () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  for (const name of [id, "universal"]) {
    const built = await run(process.execPath, [tsc, "-p", join(folder, "out", name)]);
    expect(built.code, built.stdout).toBe(0);
  }
  generated = (await import(
    /* @vite-ignore */ join(folder, "out", id, "dist/index.js")
  )) as typeof generated;
}, 60_000);

describe("a revision without handwritten code", () => {
  it("has its methods in the table, gated by the capability of their name", () => {
    const { methods } = generated.revision;
    expect(methods.get("notes/search")).toMatchObject({
      from: "client",
      capability: "server.notes",
    });
    expect(methods.get("notifications/notes/list_changed")).toMatchObject({
      from: "server",
      capability: "server.notes.listChanged",
    });
    expect(methods.has("completion/complete")).toBe(false);
    expect(methods.has("tools/call")).toBe(true);
  });

  it("has its error code", () => {
    expect(generated.revision.errorCodes["RATE_LIMITED"]).toBe(-32023);
  });

  it("validates what it declares", () => {
    const { ContentBlock, LoggingLevel, Note, Tool, PromptParameter, PromptArgument } =
      generated.validators;
    expect(ContentBlock!({ type: "video", data: "", mimeType: "video/mp4" })).toBe(true);
    expect(ContentBlock!({ type: "video", mimeType: "video/mp4" })).toBe(false);
    expect(LoggingLevel!("trace")).toBe(true);
    expect(Note!({ text: "", score: 0.5 })).toBe(true);
    expect(Note!({ text: "", score: 1.5 })).toBe(false);
    expect(Tool!({ name: "x", inputSchema: { type: "object" } })).toBe(false);
    expect(Tool!({ name: "x", inputSchema: { type: "object" }, cost: 3 })).toBe(true);
    expect(PromptParameter!({ name: "x" })).toBe(true);
    expect(PromptArgument).toBeUndefined();
  });

  it("may return input requests if it says so", () => {
    expect(generated.revision.methods.get("notes/search")?.inputResult).toBeTypeOf("function");
  });

  it("has the differences from the previous revision in the diff", async () => {
    const { stdout } = await run(process.execPath, [cli, "diff", "2026-07-28", schema], {
      cwd: folder,
    });
    for (const expected of [
      "notes/search",
      "notifications/notes/list_changed",
      "completion/complete",
      "VideoContent",
      "RATE_LIMITED",
      '"trace"',
      "cost",
      "PromptParameter",
      "description",
    ]) {
      expect(stdout).toContain(expected);
    }
  });

  it("works with the types of its stubs", async () => {
    const program = `
      import { Client, Server, type Handlers } from "./out/${id}/index.js";
      const handlers: Handlers = {
        "notes/search": ({ query, limit = 10 }) => ({
          resultType: "complete", notes: [{ text: query, score: limit / 100 }],
        }),
      };
      export const server = new Server({ name: "s", version: "1" }, handlers);
      export const search = (client: Client) => client.searchNotes;
      // @ts-expect-error -- the method is gone
      export const complete = (client: Client) => client.complete;
    `;
    writeFileSync(join(folder, "use.ts"), program);
    const compilerOptions = {
      strict: true,
      module: "nodenext",
      target: "es2022",
      noEmit: true,
      skipLibCheck: true,
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["use.ts"] }),
    );
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", folder]);
    expect(stdout).toBe("");
  }, 60_000);
});

/** Returns the text below the header, which names the command that generated the file. */
const withoutHeader = (path: string): string =>
  readFileSync(path, "utf8").split("\n").slice(2).join("\n");

it("a new revision adds a step, and leaves those between older revisions unchanged", () => {
  const steps = join(folder, "out/universal/steps");
  const before = join(root, "generated/universal/steps");
  const last = bundled.at(-1)!;
  expect(readdirSync(steps).toSorted()).toEqual(
    [...readdirSync(before), `${id}--${last}.ts`].toSorted(),
  );
  for (const name of readdirSync(before)) {
    expect(withoutHeader(join(steps, name)), name).toBe(withoutHeader(join(before, name)));
  }
  const added = readFileSync(join(steps, `${id}--${last}.ts`), "utf8");
  expect(added).toContain('Tool: { rule: toolTitle, drop: ["cost"] }');
});

describe("a new method family", () => {
  /** Uses everything about notes, with types, in a server and a client that support all revisions. */
  const program = `
    import { connect, McpServer } from "@mcp-codegen/universal";
    import { revision as old } from "@mcp-codegen/universal/2025-11-25";
    import { memoryPair } from "@mcp-codegen/runtime/memory";

    const all = [{ text: "a", score: 0.5 }, { text: "b", score: 1 }];

    function notesServer() {
      const info = { name: "notes", version: "1" };
      const server = new McpServer(info);
      for (const note of all)
        server.registerItem("notes/read", note, ({ text }, ctx) => ({ text, author: ctx.revision }));
      // @ts-expect-error -- a note has a score
      const wrong = () => server.registerItem("notes/read", { text: "c" }, () => ({ text: "c", author: "" }));
      // @ts-expect-error -- reading a note returns its author
      const bad = () => server.registerItem("notes/read", all[0]!, () => ({ text: "a" }));
      server.setHandler("notes/search", async ({ query, limit = 10 }, ctx) => {
        const notes = all.filter(({ text }) => text >= query).slice(0, limit);
        const can: boolean = ctx.can.notes;
        if (!can) return { notes };
        const { picked } = await ctx.request("notes/pick", { notes });
        return { notes: notes.filter(({ text }) => text === picked) };
      });
      return server;
    }

    async function talk(server: McpServer) {
      server.registerTool("ask", { cost: 1 }, (ctx) => String(ctx.can.notes));
      const [near, far] = memoryPair();
      await server.connect(far);
      const errors: string[] = [];
      const client = await connect(near, {
        onerror: ({ message }) => void errors.push(message),
        handlers: { "notes/pick": ({ notes }) => ({ picked: notes.at(-1)!.text }) },
      });
      let changes = 0;
      client.on("notesChanged", () => void (changes += 1));
      const timer = setInterval(() => server.notify.notesChanged(), 10);
      const outcome = (found: { notes: { text: string; score: number }[] }) => found.notes;
      const failure = (error: Error) => error.name;
      const found = await client.searchNotes({ query: "a" }).then(outcome, failure);
      const listed = await client.listNotes().then(outcome, failure);
      const each: string[] = [];
      for await (const { text } of client.notes()) each.push(text);
      const read = await client.readNote({ text: "b" }).then(({ author }) => author, failure);
      const { content } = await client.callTool("ask");
      while (changes === 0 && errors.length === 0) await new Promise((done) => setTimeout(done, 5));
      clearInterval(timer);
      await client.close();
      return { revision: client.revision, found, listed, each, read, content, isTold: changes > 0, errors };
    }
    console.log(JSON.stringify([
      await talk(notesServer()),
      await talk(new McpServer({ name: "old", version: "1" }, { revisions: [old] })),
    ]));

    // @ts-expect-error -- notes are searched for with a query
    export const wrong = (client: Awaited<ReturnType<typeof connect>>) => client.searchNotes({});
    // @ts-expect-error -- there is no such list
    export const unknown = (client: Awaited<ReturnType<typeof connect>>) => client.on("newsChanged", () => {});
  `;

  it("is available from connect() and McpServer, typed, without a handwritten line", async () => {
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "family.ts"), program);
    const compilerOptions = {
      strict: true,
      module: "nodenext",
      target: "es2022",
      lib: ["es2023", "dom"],
      types: [],
      skipLibCheck: true,
    };
    const config = join(folder, "tsconfig.family.json");
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ["family.ts"] }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const built = await run(process.execPath, [tsc, "-p", config]);
    expect(built.stdout).toBe("");
    const { stdout, stderr } = await run(process.execPath, [join(folder, "family.js")]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual([
      {
        revision: id,
        found: [{ text: "b", score: 1 }],
        listed: [
          { text: "a", score: 0.5 },
          { text: "b", score: 1 },
        ],
        each: ["a", "b"],
        read: id,
        content: [{ type: "text", text: "true" }],
        isTold: true,
        errors: [],
      },
      {
        revision: "2025-11-25",
        found: "CapabilityError",
        listed: "CapabilityError",
        each: [],
        read: "CapabilityError",
        content: [{ type: "text", text: "false" }],
        isTold: false,
        errors: [
          "Notifications of notesChanged will not arrive: the server does not declare notes.listChanged",
        ],
      },
    ]);
  }, 60_000);
});

/** Copies the packages that read the families, because they must find the generated package beside them. */
function copyPackages(): string {
  const modules = join(folder, "node_modules");
  const [contract, command] = [
    join(modules, "@mcp-codegen/contract"),
    join(modules, "mcp-codegen"),
  ];
  for (const path of [contract, command]) rmSync(path, { recursive: true, force: true });
  for (const part of ["package.json", "dist"]) {
    cpSync(join(root, "runtime/contract", part), join(contract, part), { recursive: true });
  }
  for (const part of ["package.json", "generator/dist", "templates", "schema"]) {
    cpSync(join(root, part), join(command, part), { recursive: true });
  }
  return join(command, "generator/dist/cli/bin.js");
}

const notesServer = `
  import { McpServer, serveStdio } from "@mcp-codegen/universal";
  const server = new McpServer({ name: "notes", version: "1" });
  server.registerItem("notes/read", { text: "plan", score: 1 }, ({ text }) => ({ text, author: "Ada" }));
  await serveStdio(server);
`;

const contractProgram = (command: string): string => `
  import { connect, McpServer } from "@mcp-codegen/universal";
  import { memoryPair } from "@mcp-codegen/runtime/memory";
  import { createNotes } from "./typed/client/index.js";
  import { contract } from "./typed/client/contract.js";
  import { implementNotes } from "./typed/server/index.js";

  const server = new McpServer({ name: "notes", version: "1" });
  implementNotes(server, { notes: { plan: () => ({ text: "plan", author: "Bob" }) } });
  const [near, far] = memoryPair();
  await server.connect(far);
  const client = await connect(near);
  const read: { text: string; author: string } = await createNotes(client).notes.plan();
  const unknown = await client.readNote({ text: "else" }).catch((error: Error) => error.message);
  await client.close();

  const args = [${JSON.stringify(command)}, "contract", "mock", "notes"];
  // A slow start must not be mistaken for a server of older revisions.
  const mock = await connect({ command: process.execPath, args }, { probeTimeout: 60_000 });
  const listed: string[] = [];
  for await (const { text } of mock.notes()) listed.push(text);
  const mocked = await mock.readNote({ text: "plan" });
  await mock.close();
  console.log(JSON.stringify([read.author, unknown, contract.notes.length, listed, mocked.author]));
  // @ts-expect-error -- the contract has no such note
  createNotes(client).notes.other;
`;

describe("a contract of a new method family", () => {
  it("is locked, typed, implemented and mocked without a handwritten line", async () => {
    const command = copyPackages();
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "notes-server.mjs"), notesServer);
    const mcp = (...args: string[]) =>
      runOrThrow(process.execPath, [command, ...args], { cwd: folder });
    await mcp("lock", "notes", "--", process.execPath, "notes-server.mjs");
    const lock = JSON.parse(readFileSync(join(folder, "mcp.lock.json"), "utf8")) as {
      servers: { notes: { notes: { definition: unknown }[] } };
    };
    expect(lock.servers.notes.notes.map(({ definition }) => definition)).toEqual([
      { text: "plan", score: 1 },
    ]);
    await mcp("contract", "client", "notes", "--out", "typed/client");
    await mcp("contract", "server", "notes", "--out", "typed/server");
    writeFileSync(join(folder, "contract.ts"), contractProgram(command));
    const compilerOptions = {
      strict: true,
      module: "nodenext",
      target: "es2022",
      lib: ["es2023", "dom"],
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
      skipLibCheck: true,
    };
    const config = join(folder, "tsconfig.contract.json");
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ["contract.ts"] }));
    const built = await run(process.execPath, [
      join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      config,
    ]);
    expect(built.stdout).toBe("");
    const { stdout, stderr } = await run(process.execPath, [join(folder, "contract.js")], {
      cwd: folder,
    });
    expect(stderr).toBe("");
    const unknown = 'Invalid params: unknown note "else": notes/list returns those that exist';
    expect(JSON.parse(stdout)).toEqual(["Bob", unknown, 1, ["plan"], "Mock note"]);
  }, 90_000);
});

describe("a server for all revisions, generated again", () => {
  const video = { type: "video", data: "dg==", mimeType: "video/mp4" };
  const note = {
    type: "text",
    text: "[video (video/mp4): not available in this version of the protocol]",
  };

  const program = `
    import { McpServer } from "@mcp-codegen/universal";
    import { serveStdio } from "@mcp-codegen/runtime/stdio";
    const video = ${JSON.stringify(video)};
    const server = new McpServer({ name: "films", version: "1" });
    server.registerTool("watch", { description: "A film", cost: 3 }, () => ({ content: [video] }));
    server.setHandler("notes/search", ({ query }) => ({ notes: [{ text: query, score: 0.5 }] }));
    await serveStdio(server);
  `;

  function started(): Talk {
    const file = join(folder, "server.mjs");
    writeFileSync(file, program);
    return new Talk(file);
  }

  it("supports the future revision with all its additions", async () => {
    using talk = started();
    const { result: found } = await talk.ask("server/discover", envelope(id));
    expect(found.supportedVersions[0]).toBe(id);
    const { result: listed } = await talk.ask("tools/list", envelope(id));
    expect(listed).toMatchObject({ resultType: "complete", tools: [{ name: "watch", cost: 3 }] });
    const { result: called } = await talk.ask("tools/call", { ...envelope(id), name: "watch" });
    expect(called).toMatchObject({ resultType: "complete", content: [video] });
    const { result: notes } = await talk.ask("notes/search", { ...envelope(id), query: "x" });
    expect(notes).toMatchObject({ resultType: "complete", notes: [{ text: "x", score: 0.5 }] });
  });

  it("supports the revision before it", async () => {
    using talk = started();
    const last = bundled.at(-1)!;
    const { result: listed } = await talk.ask("tools/list", envelope(last));
    expect(listed.tools).toMatchObject([{ name: "watch" }]);
    expect(listed.tools[0]).not.toHaveProperty("cost");
    const { result: called } = await talk.ask("tools/call", { ...envelope(last), name: "watch" });
    expect(called).toMatchObject({ resultType: "complete", content: [note] });
    const { error } = await talk.ask("notes/search", { ...envelope(last), query: "x" });
    expect(error.code).toBe(-32601);
  });

  it.each(bundled.slice(0, -1))("still supports %s", async (revision) => {
    using talk = started();
    const { result: hello } = await talk.shakeHands(revision);
    expect(hello.protocolVersion).toBe(revision);
    const { result: listed } = await talk.ask("tools/list");
    expect(listed.tools).toMatchObject([{ name: "watch", description: "A film" }]);
    expect(listed.tools[0]).not.toHaveProperty("cost");
    expect(listed).not.toHaveProperty("resultType");
    const { result: called } = await talk.ask("tools/call", { name: "watch" });
    expect(called).toEqual({ content: [note] });
    const { error } = await talk.ask("notes/search", { query: "x" });
    expect([-32601, -32602]).toContain(error.code);
  });
});
