import { createServer } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { toNodeListener } from "@mcp-codegen/runtime/http/node";
import {
  connect as connectTo,
  createHttpHandler,
  McpServer,
  revisions,
} from "@mcp-codegen/universal";
import { KEY } from "../../stateless/client/support/raw-server.js";
import { scripted, scriptedSession } from "./support/connecting.js";
import { eventually } from "../../support/eventually.js";

/** Starts a server on real sockets whose tool changes its list of tools. */
async function changing(): Promise<string> {
  const server = new McpServer({ name: "changing", version: "1" });
  let count = 0;
  server.registerTool("change", { description: "Changes the tools" }, () => {
    count += 1;
    server.registerTool(`tool-${count}`, { description: "Another one" }, () => "done");
    return "changed";
  });
  const http = createServer(toNodeListener(createHttpHandler(server)));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void http.closeAllConnections());
  onTestFinished(() => void http.close());
  return `http://127.0.0.1:${(http.address() as { port: number }).port}/`;
}

test.each(revisions.map(({ id }) => id))(
  "no notifications are lost right after on() over HTTP at %s",
  async (id) => {
    const url = await changing();
    const only = revisions.filter((revision) => revision.id === id);
    for (let time = 0; time < 20; time += 1) {
      const client = await connectTo(url, { revisions: only });
      let received = 0;
      client.on("toolsChanged", () => (received += 1));
      await client.callTool("change");
      await eventually(() => expect(received).toBe(1));
      await client.close();
    }
  },
);

test("requests wait until the server has acknowledged the subscription, and a caller can wait for that, too", async () => {
  const { client, server } = await scripted();
  const ready = vi.fn();
  const off = client.on("toolsChanged", () => {});
  void off.ready.then(ready);
  const call = client.callTool("x");
  const [listen, ...others] = await server.rest();
  expect([listen.method, others]).toEqual(["subscriptions/listen", []]);
  expect(ready).not.toHaveBeenCalled();
  const { notifications } = listen.params;
  const tag = { [KEY.subscription]: listen.id };
  server.tell("notifications/subscriptions/acknowledged", { notifications, _meta: tag });
  const requested = await server.next();
  expect(requested.method).toBe("tools/call");
  expect(ready).toHaveBeenCalledTimes(1);
  server.answer(requested.id, { resultType: "complete", content: [] });
  await call;
  off();
});

test("requests wait a limited time, and not after a refusal", async () => {
  const { client, server, errors } = await scripted();
  client.on("toolsChanged", () => {});
  const { id } = await server.next();
  const call = client.callTool("x");
  server.say({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });
  expect((await server.next()).method).toBe("tools/call");
  call.catch(() => {});
  expect(errors).toMatchObject([{ code: -32601 }]);
  const silent = await scripted();
  silent.client.on("toolsChanged", () => {});
  silent.client.callTool("x").catch(() => {});
  await silent.server.next();
  expect((await silent.server.next()).method).toBe("tools/call");
});

test.each([-32601, -32603])(
  "ready rejects when the subscription is refused with %d",
  async (code) => {
    const { client, server, errors } = await scripted();
    const { ready } = client.on("toolsChanged", () => {});
    server.say({ jsonrpc: "2.0", id: (await server.next()).id, error: { code, message: "no" } });
    await expect(ready).rejects.toMatchObject({ code });
    expect(errors).toMatchObject([{ code }]);
  },
);

test("a caller can abort a request that waits", async () => {
  const { client, server } = await scripted();
  client.on("toolsChanged", () => {});
  const abort = new AbortController();
  const call = client.callTool("x", {}, { signal: abort.signal });
  abort.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  expect((await server.rest()).map(({ method }) => method)).toEqual(["subscriptions/listen"]);
});

test("in a session, and for notifications that no server sends, listeners are ready at once", async () => {
  const session = await scriptedSession();
  const { client } = await scripted({}, { capabilities: {} });
  await session.client.on("toolsChanged", () => {}).ready;
  await client.on("toolsChanged", () => {}).ready;
  await client.on("close", () => {}).ready;
  expect(await session.server.rest()).toEqual([]);
});

test.each([
  ["without a session", scripted],
  ["with a session", scriptedSession],
])(
  "subscribe() accepts a signal and a timeout %s, and the server is notified when it ends",
  async (_, script) => {
    const { client, server } = await script();
    const given = client.subscribe("a:b", undefined, { timeout: 20 });
    await expect(given).rejects.toMatchObject({
      code: "REQUEST_TIMEOUT",
      message: 'subscribe("a:b"): no response arrived within 20 ms (option timeout)',
    });
    const abort = new AbortController();
    const second = client.subscribe("c:d", undefined, { signal: abort.signal });
    const third = client.subscribe("c:d", () => {});
    third.catch(() => {});
    abort.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    await expect(client.subscribe("e:f", undefined, { signal: abort.signal })).rejects.toThrow(
      "enough",
    );
    expect(JSON.stringify(await server.rest())).not.toContain("e:f");
    expect(await Promise.race([third, "waits"])).toBe("waits");
  },
);
