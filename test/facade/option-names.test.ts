import { oauth } from "@mcp-codegen/auth/client";
import { resourceServer } from "@mcp-codegen/auth/server";
import { expressRoute } from "@mcp-codegen/runtime/http/express";
import { fastifyPlugin, fastifyRoute } from "@mcp-codegen/runtime/http/fastify";
import { honoRoute } from "@mcp-codegen/runtime/http/hono";
import { listen } from "@mcp-codegen/runtime/http/node";
import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { serveStdio } from "@mcp-codegen/runtime/stdio";
import { expect, test } from "vitest";
import { connect, connectInMemory, type ConnectOptions, McpServer } from "@mcp-codegen/universal";
import type { McpServerOptions } from "@mcp-codegen/universal";
import { OPTIONS as CLIENT } from "../../runtime/facade/client/connect.js";
import { OPTIONS as SERVER } from "../../runtime/facade/server/server-features.js";

const OF_CLIENT = {
  anonymous: 1,
  auth: 1,
  cache: 1,
  capabilities: 1,
  checkContent: 1,
  checkOutput: 1,
  clientInfo: 1,
  custom: 1,
  eras: 1,
  extensions: 1,
  features: 1,
  handlerTimeout: 1,
  handlers: 1,
  headers: 1,
  http: 1,
  keepAlive: 1,
  limits: 1,
  maxTotalTimeout: 1,
  middleware: 1,
  newerRevisions: 1,
  onElicit: 1,
  onInvalidItem: 1,
  onRoots: 1,
  onSample: 1,
  onerror: 1,
  onloss: 1,
  onrequestend: 1,
  pageTimeout: 1,
  plugins: 1,
  prior: 1,
  probeTimeout: 1,
  relisten: 1,
  resetTimeoutOnProgress: 1,
  retryLost: 1,
  revisions: 1,
  roots: 1,
  sampling: 1,
  sending: 1,
  signal: 1,
  stdio: 1,
  timeout: 1,
} satisfies Record<keyof ConnectOptions, 1>;

const OF_SERVER = {
  anonymous: 1,
  askTimeout: 1,
  bus: 1,
  capabilities: 1,
  checkContent: 1,
  cursors: 1,
  custom: 1,
  errorText: 1,
  extensions: 1,
  features: 1,
  freshness: 1,
  handlerTimeout: 1,
  handlers: 1,
  hideForbidden: 1,
  ignoreUnknown: 1,
  instructions: 1,
  keepAlive: 1,
  limits: 1,
  logging: 1,
  maxTotalTimeout: 1,
  middleware: 1,
  onerror: 1,
  onloss: 1,
  onrequestend: 1,
  pageSize: 1,
  rateLimits: 1,
  resetTimeoutOnProgress: 1,
  revisions: 1,
  rounds: 1,
  schemas: 1,
  sending: 1,
  structuredText: 1,
  subscriptions: 1,
  timeout: 1,
  unaskedLogs: 1,
} satisfies Record<keyof McpServerOptions, 1>;

test("the known names of options are those of their types", () => {
  expect(CLIENT).toEqual(Object.keys(OF_CLIENT));
  expect(SERVER).toEqual(Object.keys(OF_SERVER));
});

test("connect refuses a misspelt option, with the names that are similar", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  const transport = await connectInMemory(server);
  await expect(connect(transport, { onElict: () => {} } as ConnectOptions)).rejects.toThrow(
    new TypeError('"onElict" is not an option of connect. Did you mean "onElicit"?'),
  );
});

test.each([
  ["timeout", -1],
  ["probeTimeout", Number.NaN],
  ["maxTotalTimeout", {}],
  ["handlerTimeout", -Infinity],
  ["askTimeout", -1],
])("an invalid time is refused: %s %s", async (name, time) => {
  const problem = `${name} must be a number of milliseconds, 0 or more`;
  const options = { [name]: time } as object;
  if (name in OF_SERVER)
    expect(() => new McpServer({ name: "s", version: "1" }, options)).toThrow(problem);
  if (name in OF_CLIENT)
    await expect(connect("http://localhost/", options)).rejects.toThrow(problem);
});

const server = new McpServer({ name: "s", version: "1" });
const handler = createHttpHandler(server);

const MISSPELT: readonly {
  readonly misspelt: string;
  readonly call: (options: never) => unknown;
  readonly right?: string;
}[] = [
  { misspelt: "prot", call: (options) => listen(handler, options), right: "port" },
  {
    misspelt: "handleSignal",
    call: (options) => serveStdio(server, options),
    right: "handleSignals",
  },
  { misspelt: "authenticate", call: (options) => expressRoute(handler, options) },
  { misspelt: "authenticate", call: (options) => honoRoute(handler, options) },
  { misspelt: "pth", call: (options) => fastifyPlugin(handler, options), right: "path" },
  { misspelt: "authorise", call: (options) => oauth(options) },
];

test.each(MISSPELT)(
  "refuses the misspelt option $misspelt",
  async ({ misspelt, call, right = "option" }) => {
    const refused = expect((async () => call({ [misspelt]: {} } as never))()).rejects;
    await refused.toThrow(TypeError);
    await refused.toThrow(new RegExp(`"${misspelt}".* "?${right}`));
  },
);

const nothing = undefined as never;

test.each<readonly [message: RegExp, call: () => unknown]>([
  [/^serveStdio needs a server/, () => serveStdio(nothing)],
  [/^oauth: the options must be an object/, () => oauth(nothing)],
  [/^oauth: authorize must be a grant/, () => oauth({} as never)],
  [/^resourceServer: the options must be an object/, () => resourceServer(nothing)],
  [/^connectInMemory needs a server/, () => connectInMemory(nothing)],
  [/^A mount needs a handler: express/, () => expressRoute(server as never)],
  [/^A mount needs a handler: hono/, () => honoRoute(server as never)],
  [/^A mount needs a handler: fastify/, () => fastifyPlugin(server as never)],
  [/^A mount needs a handler: fastify/, () => fastifyRoute(server as never)],
])("a missing argument is named: %s", async (message, call) => {
  await expect((async () => call())()).rejects.toThrow(message);
});
