import { describe, expect, it, onTestFinished } from "vitest";
import {
  createSseHandler,
  type HttpHandler,
  type SseHandlerOptions,
} from "../../../runtime/http/server/index.js";
import { memoryStores } from "@mcp-codegen/testing/stores";
import { SharedSessions } from "../../../runtime/http/server/sharing/index.js";
import { EventReader, initialize, tool, type Wire } from "../server/serve.js";
import { ToyServer } from "../server/toy-server.js";

/** Creates two instances of a server: one has the stream, and the other receives the messages. */
function instances(options: SseHandlerOptions = {}) {
  const stores = memoryStores();
  const made = [0, 1].map(() => {
    const sessions = new SharedSessions(stores);
    return createSseHandler(new ToyServer().server, { ...options, sessions });
  });
  onTestFinished(async () => {
    for (const handler of made) await handler.close(0);
  });
  return made as [HttpHandler, HttpHandler];
}

async function opened(handler: HttpHandler, headers: Record<string, string> = {}) {
  const accept = { Accept: "text/event-stream", ...headers };
  const response = await handler(new Request("http://localhost/sse", { headers: accept }));
  const reader = new EventReader(response);
  return { reader, endpoint: (await reader.next())!.data! };
}

async function post(
  handler: HttpHandler,
  endpoint: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return handler(
    new Request(`http://localhost${endpoint}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
}

const authenticate = (request: { header(name: string): string | undefined }) => ({
  principal: request.header("authorization") ?? "nobody",
});

describe("HTTP+SSE with several instances", () => {
  it("sends on the stream the response to a message that arrived at another instance", async () => {
    const [here, there] = instances();
    const { reader, endpoint } = await opened(here);
    const accepted = await post(there, endpoint, initialize("2024-11-05"));
    expect(accepted.status).toBe(202);
    expect((await reader.message()).result.protocolVersion).toBe("2024-11-05");
    await post(there, endpoint, { jsonrpc: "2.0", method: "notifications/initialized" });
    await post(here, endpoint, tool(1, "echo", { text: "one" }));
    await post(there, endpoint, tool(2, "echo", { text: "two" }));
    const answers: Wire[] = [await reader.message(), await reader.message()];
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    await reader.cancel();
  });

  it("refuses invalid messages, messages of no session, and messages of an instance that is gone", async () => {
    const [here, there] = instances();
    const { reader, endpoint } = await opened(here);
    const unreadable = await post(there, endpoint, "{");
    expect([unreadable.status, (await unreadable.json()).error.code]).toEqual([400, -32700]);
    expect((await post(there, "/messages?sessionId=nobody", initialize("2024-11-05"))).status).toBe(
      404,
    );
    await reader.cancel();
    await here.close(0);
    expect((await post(there, endpoint, tool(1, "echo"))).status).toBe(404);
  });

  it("limits the message that opens a session at every instance", async () => {
    const all = instances();
    const { reader, endpoint } = await opened(all[0]);
    const opening = initialize("2024-11-05");
    opening.params.clientInfo.title = "x".repeat(64 * 1024);
    for (const handler of all) expect((await post(handler, endpoint, opening)).status).toBe(413);
    expect((await post(all[1], endpoint, initialize("2024-11-05"))).status).toBe(202);
    await reader.message();
    const long = tool(1, "echo", { text: "x".repeat(64 * 1024) });
    for (const handler of all) expect((await post(handler, endpoint, long)).status).toBe(202);
    await reader.cancel();
  });

  it("accepts messages from the owner of a session only", async () => {
    const [here, there] = instances({ authenticate });
    const ada = { Authorization: "ada" };
    const { reader, endpoint } = await opened(here, ada);
    await post(there, endpoint, initialize("2024-11-05", 1), { Authorization: "eve" });
    await post(there, endpoint, initialize("2024-11-05", 2), ada);
    expect((await reader.message()).id).toBe(2);
    await reader.cancel();
  });
});

it("reports an HTTP+SSE stream that an instance with another store holds", async () => {
  const [here] = instances();
  const errors: Error[] = [];
  const onerror = (error: Error): void => void errors.push(error);
  const sessions = new SharedSessions(memoryStores(), { onerror });
  const there = createSseHandler(new ToyServer().server, { sessions });
  onTestFinished(() => there.close(0));
  await opened(there);
  const { endpoint } = await opened(here);
  for (let count = 0; count < 2; count++)
    expect((await post(there, endpoint, initialize("2024-11-05"))).status).toBe(404);
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining("opened with another store"),
  ]);
});

it("a stream that is requested while the handler closes is refused", async () => {
  const [handler] = instances();
  const headers = { Accept: "text/event-stream" };
  const opening = handler(new Request("http://localhost/sse", { headers }));
  await handler.close(0);
  expect((await opening).status).toBe(503);
  expect(handler.sessions).toBe(0);
});
