import { connect, createServer, type ClientHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createHttpHandler } from "../../../runtime/http/server/index.js";
import type { NodeRequest, NodeResponse } from "../../../runtime/http/node/node-exchange.js";
import { toNodeListener } from "../../../runtime/http/node/index.js";
import { ACCEPT, initialize, tool } from "./serve.js";
import { ToyServer } from "./toy-server.js";

async function overHttp2() {
  const toy = new ToyServer();
  const handler = createHttpHandler(toy.server, { onerror: () => {}, upgradeAfter: Infinity });
  const listener = toNodeListener(handler) as (request: unknown, response: unknown) => void;
  const server = createServer((request, response) =>
    listener(request as unknown as NodeRequest, response as unknown as NodeResponse),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    session.destroy();
    await handler.close(0);
    server.close();
  });
  return { toy, handler, session };
}

function post(session: ClientHttp2Session, body: unknown, fields: Record<string, string> = {}) {
  const stream = session.request({
    ":method": "POST",
    ":path": "/mcp",
    "content-type": "application/json",
    accept: ACCEPT,
    ...fields,
  });
  stream.end(JSON.stringify(body));
  return stream;
}

function answer(stream: ReturnType<typeof post>) {
  return new Promise<{ status: number; sessionId: string; text: string }>((resolve, reject) => {
    let text = "";
    let head: Record<string, unknown> = {};
    stream.setEncoding("utf8");
    stream.on("response", (fields) => (head = fields as Record<string, unknown>));
    stream.on("data", (chunk: string) => (text += chunk));
    stream.on("error", reject);
    stream.on("end", () => {
      resolve({ status: Number(head[":status"]), sessionId: String(head["mcp-session-id"]), text });
    });
  });
}

it("HTTP/2 answers, refuses and streams (H24)", async () => {
  const { session } = await overHttp2();
  const opened = await answer(post(session, initialize("2025-06-18")));
  expect(opened.status).toBe(200);
  const fields = { "mcp-session-id": opened.sessionId };
  const [plain, streamed, refused] = await Promise.all([
    answer(post(session, tool(1, "echo", { text: "hi" }), fields)),
    answer(post(session, tool(2, "log", { text: "said" }), fields)),
    answer(post(session, "x".repeat(5_000_000), fields)),
  ]);
  expect(plain.text).toContain('"hi"');
  expect(streamed.text).toContain("said");
  expect(refused.status).toBe(413);
});

it("HTTP/2 streams that are reset at once leave no state (H24)", async () => {
  const { toy, handler, session } = await overHttp2();
  const { sessionId } = await answer(post(session, initialize("2025-06-18")));
  const fields = { "mcp-session-id": sessionId };
  for (let id = 1; id <= 500; id++) {
    const stream = post(session, tool(id, "wait"), fields);
    stream.on("error", () => {});
    stream.close(8);
  }
  const running = post(session, tool("last", "wait"), fields);
  const text = answer(running);
  await expect.poll(() => toy.called.length).toBeGreaterThan(0);
  toy.gate.open();
  expect((await text).text).toContain("waited");
  expect(handler.sessions).toBe(1);
  await handler.close(5000);
});
