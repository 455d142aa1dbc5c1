import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { logging, tool, until } from "./support/calls.js";
import {
  ask,
  type Asking,
  fieldsOf,
  Listener,
  messagesIn,
  request,
  sent,
  start,
} from "./support/raw-http.js";
import { serveBoth, serveStateless } from "./support/served.js";

function webRequest(name: string, asking: Asking, signal?: AbortSignal): Request {
  const body = request("tools/call", tool(name), asking);
  const headers = Object.fromEntries(fieldsOf(body));
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  return new Request("http://localhost/mcp", signal ? { ...init, signal } : init);
}

describe("a client that disconnects", () => {
  test.each([["wait"], ["tell-and-wait"]])(
    "cancels its request (%s), and no other (SHTTP-19, SHTTP-21, CANC-09, H17)",
    async (name) => {
      const served = await serveStateless();
      const outgoing = sent(served.url, "tools/call", tool(name), logging);
      const other = ask(served.url, "tools/call", tool(name), logging);
      await until(() => served.called.length === 2);
      outgoing.destroy();
      await until(() => served.aborted.length === 1);
      served.gate.open();
      expect((await other).message.result).toBeDefined();
      expect(served.aborted).toEqual([name]);
      const unexpected = served.errors.filter((error) => error.name !== "DeprecationWarning");
      expect(unexpected).toEqual([]);
    },
  );

  test("receives nothing more (H17)", async () => {
    const served = await serveStateless();
    const response = await start(served.url, "tools/call", tool("tell-and-wait"), logging);
    const listener = new Listener(response);
    expect((await listener.next()).params.data).toBe("first");
    listener.leave();
    await until(() => served.aborted.length === 1);
    served.gate.open();
    await sleep(20);
    expect(messagesIn(listener.raw).length).toBe(1);
  });

  test("cancels nothing in a session (T16)", async () => {
    const served = await serveBoth();
    const { url } = served;
    const outgoing = sent(url, "tools/call", tool("wait"));
    await until(() => served.called.length === 1);
    outgoing.destroy();
    await until(() => served.aborted.length === 1);
    const headers = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const send = (body: object, more = {}) =>
      fetch(url, {
        method: "POST",
        headers: { ...headers, ...more },
        body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      });
    const clientInfo = { name: "old", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const opened = await send({ id: 0, method: "initialize", params });
    const session = { "Mcp-Session-Id": opened.headers.get("mcp-session-id")! };
    await send({ method: "notifications/initialized" }, session);
    const leaving = new AbortController();
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: tool("wait"),
    });
    const init = { method: "POST", headers: { ...headers, ...session }, body };
    fetch(url, { ...init, signal: leaving.signal }).catch(() => {});
    await until(() => served.called.length === 2);
    leaving.abort();
    await sleep(50);
    expect(served.aborted.length).toBe(1);
    served.gate.open();
  });

  test("cancels a web-standard request (SHTTP-19)", async () => {
    const served = await serveStateless();
    const leaving = new AbortController();
    void served.handler(webRequest("wait", {}, leaving.signal));
    await until(() => served.called.length === 1);
    leaving.abort();
    await until(() => served.aborted.length === 1);
  });

  test("cancels by cancelling the body of the response (SHTTP-19)", async () => {
    const served = await serveStateless();
    const response = await served.handler(webRequest("tell-and-wait", logging));
    await response.body!.cancel();
    await until(() => served.aborted.length === 1);
  });
});

test("a client that does not read is disconnected, and its request cancelled (SHTTP-19)", async () => {
  const served = await serveStateless({ maxWaitingBytes: 1_000_000 });
  const lines = "x".repeat(200_000);
  served.tools.add({ name: "flood", inputSchema: { type: "object" } }, async (_args, context) => {
    const notify = context.notify as unknown as (method: string, params: object) => Promise<void>;
    for (let at = 0; at < 500 && !context.signal.aborted; at++) {
      void notify("notifications/message", { level: "info", data: lines });
      await sleep(1);
    }
    if (context.signal.aborted) served.aborted.push("flood");
    return { content: [] };
  });
  const response = await start(served.url, "tools/call", tool("flood"), logging);
  response.on("error", () => {});
  await until(() => served.aborted.length === 1);
  expect(served.errors.map(({ message }) => message)).toEqual([
    expect.stringContaining("does not read"),
  ]);
  expect((await ask(served.url, "tools/call", tool("echo"))).status).toBe(200);
});
