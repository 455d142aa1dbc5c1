import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { documentation } from "../support/documentation.js";
import { pack, root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";

const compilers = ["typescript", "typescript-6", "typescript-5.9"];
const generated = readdirSync(join(root, "generated")).toSorted();

const OWN = ["runtime", ...generated];

/** The third-party packages that it depends on. */
const OTHERS = ["@standard-schema/spec", "cross-spawn", "eventsource-parser", "url-template"];

/** The additional packages that the programs below import. */
const BESIDE = ["@types/node", "undici-types", "zod"];

let folder: string;
let own: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-universal-"));
  own = join(folder, "node_modules/@mcp-codegen");
  for (const path of ["runtime", ...generated.map((name) => `generated/${name}`)]) {
    const { name, tarball } = await pack(path, folder);
    const target = join(folder, "node_modules", name);
    mkdirSync(target, { recursive: true });
    await runOrThrow("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  }
  for (const name of [...OTHERS, ...BESIDE]) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
  for (const [name, text] of Object.entries(PROGRAMS)) writeFileSync(join(folder, name), text);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the package has only the known dependencies", () => {
  const needs = OWN.flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(own, name, "package.json"), "utf8")) as {
      readonly dependencies?: object;
    };
    return Object.keys(manifest.dependencies ?? {});
  });
  const ours = OWN.filter((name) => name !== "universal");
  const expected = [...ours.map((name) => `@mcp-codegen/${name}`), ...OTHERS];
  expect([...new Set(needs)].toSorted()).toEqual(expected.toSorted());
});

it.each(compilers)(
  "three servers, a client and the subpaths of the runtime type-check with %s, declarations included, share their classes and work together",
  async (compiler) => {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: "nodenext",
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
      types: ["node"],
    };
    const files = Object.keys(PROGRAMS);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    const tsc = join(root, "node_modules", compiler, "bin/tsc");
    expect((await run(process.execPath, [tsc, "-p", folder])).stdout).toBe("");
    const said = await runOrThrow(process.execPath, ["client.js"], { cwd: folder });
    expect(JSON.parse(said)).toEqual({
      stdio: ["2026-07-28", "web: because"],
      old: ["2024-11-05", "web: nobody can be asked"],
      http: ["2026-07-28", 5],
      web: [200, ["echo"]],
    });
    const pinned = await runOrThrow(process.execPath, ["pinned.js"], { cwd: folder });
    expect(JSON.parse(pinned)).toEqual({
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

it("the package has the documentation that editors show", () => {
  const file = join(folder, "documented.ts");
  writeFileSync(file, DOCUMENTED);
  const names = [...DOCUMENTED.matchAll(/^([\w.]+);$/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(documentation(file)).toEqual(names.map((name) => `${name}: documented`));
});

const DOCUMENTED = `
import {
  type AskingContext,
  connect,
  connectInMemory,
  type ConnectOptions,
  createHttpHandler,
  inputRequired,
  type McpClient,
  McpServer,
  type McpServerOptions,
  serveStdio,
} from "@mcp-codegen/universal";
import { useApps } from "@mcp-codegen/universal/apps";
import { registerSkills, SKILLS, skillsOf } from "@mcp-codegen/universal/skills";
import { readSkills } from "@mcp-codegen/runtime/skills/node";
declare const client: McpClient;
declare const ctx: AskingContext;
declare const connecting: ConnectOptions;
declare const serving: McpServerOptions;
McpServer;
McpServer.prototype.registerTool;
McpServer.prototype.registerResource;
McpServer.prototype.registerPrompt;
McpServer.prototype.setHandler;
connect;
connectInMemory;
createHttpHandler;
inputRequired;
serveStdio;
client.callTool;
client.readResource;
client.subscribe;
client.on;
client.revision;
ctx.elicit;
ctx.once;
ctx.progress;
ctx.signal;
connecting.onElicit;
connecting.cache;
serving.rounds;
serving.onloss;
registerSkills;
readSkills;
skillsOf;
SKILLS;
useApps;
`;

const PROGRAMS = {
  "extensions.ts": `
import type { McpClient, McpServer } from "@mcp-codegen/universal";
import { useApps } from "@mcp-codegen/universal/apps";
import { extension as card, type ServerCard } from "@mcp-codegen/universal/extensions/server-card";
import { extension as tasks } from "@mcp-codegen/universal/extensions/tasks";
import { registerSkills, SKILLS, skillsOf } from "@mcp-codegen/universal/skills";
import { readSkills } from "@mcp-codegen/runtime/skills/node";
export async function useThem(client: McpClient, server: McpServer): Promise<unknown[]> {
  const apps = useApps(server);
  await registerSkills(server, await readSkills("skills"));
  const { skills } = await client.request(SKILLS.requests["skills/list"]);
  for await (const skill of skillsOf(client).list()) await skillsOf(client).read(skill);
  const named: Pick<ServerCard, "name"> = { name: card.id };
  return [tasks.requests["tasks/get"], named, skills[0]?.frontmatter.name, apps.toolMeta({ visibility: ["app"] })];
}
`,
  "stdio.ts": `
import { McpServer, serveStdio } from "@mcp-codegen/universal";
import * as z from "zod";
const server = new McpServer({ name: "deployer", version: "1.0.0" });
server.registerTool("deploy", { inputSchema: z.object({ service: z.string() }) }, async ({ service }, ctx) => {
  if (!ctx.can.elicit) return \`\${service}: nobody can be asked\`;
  const answer = await ctx.elicit({
    message: "Why?",
    requestedSchema: z.object({ reason: z.string() }),
  });
  return answer.action === "accept" ? \`\${service}: \${answer.content.reason}\` : "no";
});
await serveStdio(server);
`,
  "http.ts": `
import { createHttpHandler, McpServer, ResourceTemplate, type ResourceLink } from "@mcp-codegen/universal";
import { listen } from "@mcp-codegen/runtime/http/node";
const server = new McpServer({ name: "adder", version: "1.0.0" });
const number = { type: "number" } as const;
server.registerTool(
  "add",
  {
    inputSchema: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
    outputSchema: { type: "object", properties: { sum: number }, required: ["sum"] },
  },
  ({ a, b }) => ({ sum: a + b }),
);
const link: ResourceLink = { type: "resource_link", uri: "sum:///1", name: "one" };
server.registerTool("link", {}, () => [link]);
server.registerResource("sum", new ResourceTemplate("sum:///{n}", {}), {}, (_uri, { n }) => String(n));
export const http = await listen(createHttpHandler(server));
`,
  "web.ts": `
import { McpServer } from "@mcp-codegen/universal/bare/server";
import { createHttpHandler } from "@mcp-codegen/universal/http";
import { revision } from "@mcp-codegen/universal/2025-06-18";
import * as z from "zod";
const server = new McpServer({ name: "echo", version: "1.0.0" }, { revisions: [revision] });
server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => text);
export default { fetch: createHttpHandler(server) };
`,
  "pinned.ts": `
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
`,
  "client.ts": `
import { connect, type McpClient } from "@mcp-codegen/universal";
import { revision } from "@mcp-codegen/universal/2024-11-05";
import { http } from "./http.js";
import web from "./web.js";

const command = { command: process.execPath, args: ["stdio.js"] };
async function deploy(client: McpClient): Promise<[string, string]> {
  const { content: [block] } = await client.callTool("deploy", { service: "web" });
  await client.close();
  return [client.revision, block?.type === "text" ? block.text : "?"];
}
const onElicit = () => ({ action: "accept", content: { reason: "because" } }) as const;
const stdio = await deploy(await connect(command, { onElicit, probeTimeout: 20_000 }));
const old = await deploy(await connect(command, { onElicit, revisions: [revision], eras: false }));

const adder = await connect(http.url);
const { structuredContent } = await adder.callTool("add", { a: 2, b: 3 });
const sum = (structuredContent as { sum: number }).sum;
const { revision: agreed } = adder;
await adder.close();
await http.close();

const answer = await web.fetch(
  new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-06-18",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "raw", version: "1" },
      },
    }),
  }),
);
const session = { "mcp-session-id": answer.headers.get("mcp-session-id") ?? "" };
const listed = await web.fetch(
  new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      ...session,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-06-18",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" }),
  }),
);
const { result } = (await listed.json()) as { result: { tools: { name: string }[] } };
await web.fetch.close();
console.log(
  JSON.stringify({ stdio, old, http: [agreed, sum], web: [listed.status, result.tools.map(({ name }) => name)] }),
);
`,
};
