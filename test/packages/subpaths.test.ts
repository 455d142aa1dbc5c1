import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packages } from "../../.github/packages.mjs";
import { pack, root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";

const compilers = ["typescript", "typescript-6", "typescript-5.9"];
let folder: string;

/** The runtime and a revision as they are published; other packages are those of the repository. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-subpaths-"));
  const modules = join(folder, "node_modules");
  for (const path of ["runtime", "generated/2025-11-25"]) {
    const { name, tarball } = await pack(path, folder);
    const target = join(modules, name);
    mkdirSync(target, { recursive: true });
    await runOrThrow("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  }
  for (const name of NEEDED) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
  writeFileSync(join(folder, "app.ts"), APP);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("at most fourteen names are published, each after those that it needs", () => {
  const names = packages.map(({ name }) => name);
  expect(names.length).toBeLessThanOrEqual(14);
  for (const [index, { name: own, needs }] of packages.entries()) {
    // The command line loads packages on demand that are built on it.
    const later = packages.slice(index + 1).filter((one) => !one.needs.includes(own));
    expect(later.filter(({ name }) => needs.includes(name))).toEqual([]);
  }
});

it.each(compilers)(
  "all subpaths type-check with %s, share their classes and work together",
  async (compiler) => {
    const compilerOptions = {
      strict: true,
      module: "nodenext",
      target: "es2022",
      lib: ["es2022", "dom"],
      types: ["node"],
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["app.ts"] }),
    );
    const tsc = join(root, "node_modules", compiler, "bin/tsc");
    expect((await run(process.execPath, [tsc, "-p", folder])).stdout).toBe("");
    const said = await runOrThrow(process.execPath, [join(folder, "app.js")]);
    expect(JSON.parse(said)).toEqual({
      spawn: "ConnectionClosedError",
      http: true,
      task: true,
      template: true,
      expanded: "note:///7",
      refused: true,
      sum: 5,
    });
  },
  120_000,
);

const NEEDED = ["@types/node", "cross-spawn", "eventsource-parser", "undici-types", "url-template"];

const APP = `
import { Client, Server } from "@mcp-codegen/2025-11-25";
import { Resources, Tools } from "@mcp-codegen/2025-11-25/features";
import { HttpClientTransport, HttpError } from "@mcp-codegen/runtime/http/client";
import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import { ConnectionClosedError, LocalError, OverloadError } from "@mcp-codegen/runtime";
import { UriTemplate } from "@mcp-codegen/runtime/features";
import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { listen } from "@mcp-codegen/runtime/http/node";
import { StdioClientTransport } from "@mcp-codegen/runtime/stdio/client";
import { MemoryTaskStore, Tasks } from "@mcp-codegen/runtime/tasks";
import { UriTemplate as Same, expand } from "@mcp-codegen/runtime/uri-template";

const info = { name: "app", version: "1" };
const tools = new Tools({ schemas: jsonSchemas() });
tools.add(
  {
    name: "add",
    inputSchema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  },
  ({ a, b }) => ({ content: [{ type: "text", text: String(Number(a) + Number(b)) }] }),
);
const features = [tools, new Resources(), new Tasks()];
const http = await listen(createHttpHandler(new Server(info, {}, { features })));

const client = new Client(info);
await client.connect(new HttpClientTransport(http.url));
const sum = await client.callTool({ name: "add", arguments: { a: 2, b: 3 } });
const wrong = await client.callTool({ name: "add", arguments: {} });
await client.close();
await http.close();

const spawn = await new Client(info)
  .connect(new StdioClientTransport({ command: process.execPath, args: ["-e", ""], stderr: "ignore" }))
  .catch((error: unknown) => error);
const [content] = sum.content;
const times = { createdAt: new Date().toISOString(), lastUpdatedAt: new Date().toISOString() };
const full = await Promise.resolve({ taskId: "1", status: "working", ttl: null, ...times } as const)
  .then((task) => new MemoryTaskStore({ maxTasks: 0 }).add({ owner: "", task, version: 0 }))
  .catch((error: unknown) => error);
console.log(
  JSON.stringify({
    spawn: spawn instanceof ConnectionClosedError && ConnectionClosedError.name,
    http: HttpError.prototype instanceof LocalError,
    task: full instanceof OverloadError,
    template: Same === UriTemplate,
    expanded: expand("note:///{id}", { id: 7 }),
    refused: wrong.isError,
    sum: content?.type === "text" ? Number(content.text) : undefined,
  }),
);
`;
