import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundledRevisions, packageFolder } from "../../../generator/bundled/bundled.js";
import { run } from "../../support/run.js";
import { sourcesOf } from "../../support/sources.js";
import { generate } from "./support/generated.js";

const root = packageFolder();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-codegen-extension-types-")));

beforeAll(async () => {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const name of ["notes", "tasks"] as const) {
    const { files } = await generate(name);
    mkdirSync(join(folder, name));
    for (const { path, text } of files) writeFileSync(join(folder, name, path), text);
  }
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the paths of the packages' sources, because builds may be stale. */
function paths(): Record<string, string[]> {
  const packages = ["runtime", "generated/universal"]
    .flatMap(sourcesOf)
    .map(([specifier, file]) => [specifier, [file]]);
  return {
    ...Object.fromEntries(packages),
    ...Object.fromEntries(
      bundledRevisions().flatMap(({ revision: id }) => [
        [`@mcp-codegen/${id}`, [join(root, "generated", id, "index.ts")]],
        [`@mcp-codegen/${id}/*`, [join(root, "generated", id, "*.ts")]],
      ]),
    ),
  };
}

/** Returns the compiler's messages for the generated packages, as they are built, and for a program that uses them. */
async function problems(program: string): Promise<string> {
  writeFileSync(join(folder, "use.ts"), program);
  const own = readFileSync(join(folder, "notes/tsconfig.json"), "utf8").replace(/^\/\/.*\n/, "");
  const { compilerOptions } = JSON.parse(own) as { compilerOptions: object };
  const options = {
    ...compilerOptions,
    paths: paths(),
    rootDir: "/",
    lib: ["es2023", "dom", "dom.iterable"],
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    noEmit: true,
  };
  const config = { compilerOptions: options, include: ["**/*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
    cwd: folder,
  });
  return stdout
    .split("\n")
    .filter((line) => /^(?:notes|tasks|use)\b/.test(line))
    .join("\n");
}

it("a generated extension is typed on both sides and builds with its own settings", async () => {
  const said = await problems(`
import { connect, McpServer, onExtension } from "@mcp-codegen/universal";
import { customRequest, onCustom } from "@mcp-codegen/runtime";
import { Server } from "@mcp-codegen/2026-07-28";
import { extension as notes, listNotesRequest, type Note, NOTE_LOCKED, validators } from "./notes/index.js";
import { extension as tasks, type CreateTaskResult } from "./tasks/index.js";

const server = new McpServer({ name: "s", version: "1" });
server.registerExtension(notes, {
  settings: { shelves: 2 },
  handlers: {
    "notes/list": (params, ctx) => {
      const shelf: string | undefined = params?.shelf;
      const asked: string = ctx.revision;
      return { notes: [{ id: asked, text: shelf ?? "" }] };
    },
    "notes/add": async ({ text, shelf }) => {
      const on: "inbox" | "archive" | undefined = shelf;
      return { note: { id: on ?? "", text }, resultType: "complete" };
    },
    "notifications/notes/shown": ({ id }) => { const text: string = id; void text; },
  },
});
server.registerExtension(tasks, {
  handlers: {
    "tasks/get": ({ taskId }) => ({
      taskId, status: "working", createdAt: "", lastUpdatedAt: "", ttlMs: null,
    }),
  },
});
// @ts-expect-error -- not a result of the request
new McpServer({ name: "s", version: "1" }).registerExtension(notes, { handlers: { "notes/list": () => ({ notes: [{ id: 1, text: "" }] }) } });
// @ts-expect-error -- no message of the extension
new McpServer({ name: "s", version: "1" }).registerExtension(notes, { handlers: { "notes/burn": () => ({}) } });

const client = await connect("https://example.com/mcp", {
  extensions: [
    tasks,
    onExtension(notes, {
      handlers: { "notifications/notes/changed": ({ shelf }) => { const text: string = shelf; void text; } },
    }),
  ],
});
const listed = await client.request(notes.requests["notes/list"]);
const found: Note[] = listed.notes;
const cursor: string | undefined = listed.nextCursor;
await client.request(listNotesRequest, { shelf: "inbox" }, { timeout: 1 });
const { note } = await client.request(notes.requests["notes/add"], { text: "x" });
await client.request(notes.requests["notes/add"], { text: "x", _meta: { progressToken: 1 } });
await client.notify(notes.notifications["notifications/notes/shown"], { id: note.id });
// @ts-expect-error -- parameters are missing
await client.request(notes.requests["notes/add"]);
// @ts-expect-error -- of another type
await client.request(notes.requests["notes/add"], { text: 1 });
// @ts-expect-error -- of another type
await client.notify(notes.notifications["notifications/notes/shown"], { id: 1 });

const value: unknown = found;
if (validators.Note(value)) { const author: "user" | "assistant" | undefined = value.author; void author; }
const locked: -32050 = NOTE_LOCKED;
const kind: CreateTaskResult["resultType"] = "task";

const pinned = new Server({ name: "s", version: "1" }, {}, {
  custom: [onCustom(listNotesRequest, (params) => ({ notes: [{ id: "1", text: params?.shelf ?? "" }] }))],
});
const plain = onCustom(customRequest("acme/x", { result: validators.Note }), () => ({ id: "1", text: "" }));
void [cursor, locked, kind, pinned, plain];
`);
  expect(said).toBe("");
}, 240_000);

it("the README of a generated extension shows code that compiles", async () => {
  const page = readFileSync(join(folder, "notes/README.md"), "utf8");
  const [, program] = /```ts\n(.+?)```/s.exec(page)!;
  expect(program).toContain('from "@io.example/notes"');
  expect(await problems(program!.replace("@io.example/notes", "./notes/index.js"))).toBe("");
}, 240_000);

it("the compiler reports mistakes in an extension", async () => {
  const said = await problems(
    `import { listNotesRequest } from "./notes/index.js";\nexport const wrong: string = listNotesRequest;\n`,
  );
  expect(said).toMatch(/^use\.ts\(2,14\): error TS2322/);
}, 240_000);
