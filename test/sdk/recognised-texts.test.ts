import {
  Client,
  type ClientOptions,
  InMemoryTransport,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from "@mcp-codegen/sdk/client";
import { inputRequired, McpServer, Server, type ServerOptions } from "@mcp-codegen/sdk/server";
import { expect, it, onTestFinished } from "vitest";

/*
 * runtime/sdk/shared/converted-errors.ts recognises some errors of the runtime by their texts. Each test here makes the
 * runtime create one of them: it fails when the runtime rewords the text.
 */

const info = { name: "worded", version: "1.0.0" };

async function pairOf(
  server: McpServer | Server,
  { mode = "legacy", ...options }: ClientOptions & { mode?: "legacy" | "auto" } = {},
): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode }, ...options });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  return client;
}

/** Creates a server with one tool. */
function serverWith(
  handler: (...args: never[]) => unknown,
  options: ServerOptions = {},
): McpServer {
  const server = new McpServer(info, options);
  server.registerTool("tool", {}, handler as never);
  return server;
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

const call = { name: "tool", arguments: {} };

it("a tool that asks for ever exceeds the rounds of the client", async () => {
  const form = { type: "object", properties: { a: { type: "string" } } } as const;
  const server = serverWith(() =>
    inputRequired({
      inputRequests: { a: inputRequired.elicit({ message: "?", requestedSchema: form }) },
    }),
  );
  const client = await pairOf(server, {
    mode: "auto",
    capabilities: { elicitation: { form: {} } },
    inputRequired: { maxRounds: 2 },
  });
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: { a: "b" },
  }));
  expect(await failureOf(client.callTool(call))).toMatchObject({
    code: SdkErrorCode.InputRequiredRoundsExceeded,
  });
});

it("a request that the server does not support names its capability, as the SDK does", async () => {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [] }));
  const client = await pairOf(server, { enforceStrictCapabilities: true });
  const failure = await failureOf(client.listPrompts());
  expect(failure).toBeInstanceOf(SdkError);
  expect(String(failure)).toContain("Server does not support prompts (required for prompts/list)");
});

it("a request that the client does not support fails in a handler as the client would refuse it", async () => {
  let failure: unknown;
  const server = serverWith(async (ctx: { mcpReq: { send(request: object): Promise<object> } }) => {
    failure = await failureOf(ctx.mcpReq.send({ method: "roots/list" }));
    return { content: [] };
  });
  const client = await pairOf(server);
  await client.callTool(call);
  expect(failure).toBeInstanceOf(ProtocolError);
  expect(failure).toMatchObject({ code: -32601 });
});

it("parameters that the runtime refuses to send are invalid parameters", async () => {
  const client = await pairOf(
    serverWith(() => ({ content: [] }), { capabilities: { logging: {} } }),
  );
  const nameless = await failureOf(client.callTool({ name: 7 } as never));
  expect(nameless).toMatchObject({ code: -32602 });
  const level = await failureOf(client.setLoggingLevel("loud" as never));
  expect(level).toMatchObject({ code: -32602 });
});

it("a failed notification handler is reported in the words of the SDK", async () => {
  const server = new Server(info, { capabilities: {} });
  const errors: string[] = [];
  server.onerror = ({ message }) => errors.push(message);
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    throw new Error("no roots");
  });
  const client = await pairOf(server, { capabilities: { roots: { listChanged: true } } });
  await client.sendRootsListChanged();
  await expect.poll(() => errors.join()).toContain("Uncaught error in notification handler");
});

it("statuses of HTTP requests are told apart by the method of the request", async () => {
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1:9/mcp"), {
    fetch: async () => new Response("full", { status: 507, statusText: "Insufficient Storage" }),
  });
  const failure = await failureOf(new Client(info).connect(transport));
  expect(failure).toBeInstanceOf(SdkHttpError);
  expect(String(failure)).toContain("Error POSTing to endpoint: full");
});
