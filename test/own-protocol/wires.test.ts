import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "../cli/build.js";
import { cli } from "../cli/cli.js";
import { root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";
import { followed, MESSAGES } from "./newcomer.js";

/** Messages that the runtime handles itself if a schema has them. */
const OPTIONAL = `export interface PingRequest extends Request { method: "station/ping" }
export type EmptyResult = Result;
export interface CancelledNotification extends Notification {
  method: "notifications/stop";
  params: { requestId: string | number; reason?: string };
}
export interface ProgressNotification extends Notification {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number };
}
export interface ListStationsRequest extends Request {
  method: "stations/list";
  params?: { cursor?: string };
}
export interface ListStationsResult extends Result {
  stations: string[];
  nextCursor?: string;
}
export const STORM_CLOSED = -32010;
`;

/** The unions that state who sends what. */
const UNIONS = `export type ClientRequest = InitializeRequest | ForecastRequest | PingRequest | ListStationsRequest;
export type ServerRequest = PingRequest;
export type ClientNotification = InitializedNotification | CancelledNotification;
export type ServerNotification = StormNotification | ProgressNotification;
export type ServerResult = InitializeResult | ForecastResult | ListStationsResult | EmptyResult;
export type ClientResult = EmptyResult;
`;

const SERVER = `import { RpcError } from "@mcp-codegen/runtime";
import { Server, STORM_CLOSED } from "./weather/index.js";

export const aborted: string[] = [];
export const server = new Server(
  { name: "station", version: "1.0.0" },
  {
    "weather/forecast": async ({ city, days = 1 }, { notify, progress, signal }) => {
      if (city === "Nowhere") throw new RpcError(STORM_CLOSED, "No station there");
      if (city === "Slow") {
        signal.addEventListener("abort", () => void aborted.push(city));
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      }
      if (city === "Oslo") await notify("notifications/weather/storm", { city });
      progress(1);
      return { degrees: Array.from({ length: days }, (_, day) => 20 + day) };
    },
    "stations/list": (params) =>
      params?.cursor === "2" ? { stations: ["B"] } : { stations: ["A"], nextCursor: "2" },
  },
);
`;

const STDIO = `import { serveStdio } from "@mcp-codegen/runtime/stdio";
import { server } from "./server.js";
await serveStdio(server);
`;

const CLIENT = `import { RpcError, type Transport } from "@mcp-codegen/runtime";
import { HttpClientTransport } from "@mcp-codegen/runtime/http/client";
import { listen } from "@mcp-codegen/runtime/http/node";
import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { memoryPair } from "@mcp-codegen/runtime/memory";
import { StdioClientTransport } from "@mcp-codegen/runtime/stdio/client";
import { aborted, server } from "./server.js";
import { Client, revision, validators } from "./weather/index.js";

async function talk(transport: Transport): Promise<object> {
  const told: unknown[] = [];
  const client = new Client(
    { name: "terminal", version: "1.0.0" },
    { "notifications/weather/storm": ({ city }) => void told.push(city) },
  );
  await client.connect(transport);
  const onprogress = ({ progress }: { progress: number }) => void told.push(progress);
  const { degrees } = await client.forecast({ city: "Oslo", days: 2 }, { onprogress });
  const stations: string[] = [];
  for await (const station of client.allStations()) stations.push(station);
  await client.request("station/ping");
  const refusal = await client.forecast({ city: "Nowhere" }).catch((error: unknown) => error);
  const slow = await client
    .forecast({ city: "Slow" }, { timeout: 50 })
    .catch((error: unknown) => (error as Error).name);
  const invalid = await client
    .request("weather/forecast", { city: 1 } as never)
    .catch((error: unknown) => String(error));
  await client.close();
  return { degrees, stations, told, code: (refusal as RpcError).code, slow, invalid };
}

const [near, far] = memoryPair();
await server.connect(far);
const memory = await talk(near);
const stdio = await talk(
  new StdioClientTransport({ command: process.execPath, args: [process.argv[2]!] }),
);
const http = await listen(createHttpHandler(server.fork()));
const overHttp = await talk(new HttpClientTransport(http.url));
await http.close();
const valid = validators.ForecastResult({ degrees: [1] });
console.log(JSON.stringify({ memory, stdio, http: overHttp, aborted, valid, id: revision.id }));
`;

const DISCOVER_REQUEST =
  'export interface DiscoverRequest extends Request { method: "server/discover" }';
const DISCOVER_RESULT =
  "export interface DiscoverResult extends Result { supportedVersions: string[]; capabilities: ServerCapabilities }";

const STATELESS_UNIONS = `export type ClientRequest = DiscoverRequest | ForecastRequest;
export type ServerNotification = StormNotification;
export type ServerResult = DiscoverResult | ForecastResult;
`;

const STATELESS_CLIENT = `import { memoryPair } from "@mcp-codegen/runtime/memory";
import { Client, Server } from "./weather/index.js";

const told: string[] = [];
const server = new Server(
  { name: "station", version: "1.0.0" },
  {
    "weather/forecast": async ({ city, days = 1 }, { notify }) => {
      await notify("notifications/weather/storm", { city });
      return { degrees: [days] };
    },
  },
);
const client = new Client(
  { name: "terminal", version: "1.0.0" },
  { "notifications/weather/storm": ({ city }) => void told.push(city) },
);
const [near, far] = memoryPair();
await server.connect(far);
await client.connect(near);
const { degrees } = await client.forecast({ city: "Oslo", days: 2 });
await client.close();
console.log(JSON.stringify({ degrees, told }));
`;

const tsc = join(root, "node_modules/typescript/bin/tsc");
const folders: string[] = [];
let declared: string;
beforeAll(async () => {
  await build();
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  const { schema } = await followed(MESSAGES);
  const unions = /^export type (?:Client|Server)(?:Request|Notification|Result) .*\n/gm;
  declared = schema.replaceAll(unions, "");
}, 120_000);
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Generates modules from a schema into a project that uses them, and compiles everything.
 *
 * @returns the project's folder
 */
async function compiled(
  schema: string,
  sources: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = mkdtempSync(join(root, "node_modules/.cache/own-protocol-"));
  folders.push(folder);
  const compilerOptions = {
    noEmit: false,
    outDir: "dist",
    rootDir: "src",
    typeRoots: [join(root, "node_modules/@types")],
  };
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions,
    include: ["src"],
    exclude: [],
  };
  const files = {
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify(config),
    "weather.ts": schema,
    ...sources,
  };
  mkdirSync(join(folder, "src"));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const args = "--schema weather.ts --revision 1.0 --out src/weather --modules-only".split(" ");
  const { code, stderr } = await cli(args, { cwd: folder });
  expect(code, stderr).toBe(0);
  expect(stderr).not.toContain("MCG");
  expect((await run(process.execPath, [tsc, "-p", folder])).stdout).toBe("");
  return folder;
}

describe("a protocol that is not MCP", () => {
  it("compiles, and works in one process, over stdio and over HTTP", async () => {
    const sources = { "src/server.ts": SERVER, "src/stdio.ts": STDIO, "src/client.ts": CLIENT };
    const folder = await compiled(declared + OPTIONAL + UNIONS, sources);
    const program = join(folder, "dist/client.js");
    const output = await runOrThrow(process.execPath, [program, join(folder, "dist/stdio.js")]);
    const talk = {
      degrees: [20, 21],
      stations: ["A", "B"],
      told: ["Oslo", 1],
      code: -32010,
      slow: expect.stringContaining("Timeout"),
      invalid: expect.stringContaining("/city"),
    };
    expect(output).not.toMatch(/\bMCP\b|modelcontextprotocol/i);
    expect(JSON.parse(output)).toEqual({
      memory: talk,
      stdio: talk,
      http: talk,
      aborted: ["Slow", "Slow"],
      valid: true,
      id: "1.0",
    });
    const read = (path: string): string => readFileSync(join(folder, "src/weather", path), "utf8");
    expect(read("methods.ts")).toMatch(/"station\/ping".*role: "ping"/);
    expect(read("methods.ts")).toMatch(/"notifications\/stop".*role: "cancelled"/);
  }, 120_000);

  it("works without sessions if its schema has a discovery in place of a handshake", async () => {
    const stateless = declared
      .replace(/export interface InitializeRequest[^]*?\n\}/, DISCOVER_REQUEST)
      .replace(/export interface InitializeResult[^]*?\n\}/, DISCOVER_RESULT)
      .replace(/export interface InitializedNotification[^]*?\n\}/, "");
    const folder = await compiled(stateless + STATELESS_UNIONS, {
      "src/client.ts": STATELESS_CLIENT,
    });
    const output = await runOrThrow(process.execPath, [join(folder, "dist/client.js")]);
    expect(JSON.parse(output)).toEqual({ degrees: [2], told: ["Oslo"] });
  }, 120_000);
});
