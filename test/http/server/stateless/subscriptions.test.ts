import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MemoryBus } from "../../../../runtime/api/bus.js";
import { progressing, tool, until } from "./support/calls.js";
import { ask, Listener, META, messagesIn, start, type Wire } from "./support/raw-http.js";
import { BOTH, Served, serveStateless } from "./support/served.js";

const subscriptionOf = (message: Wire): unknown => message.params["_meta"][META.subscription];
const listenFor = (notifications: object) => ({ notifications });

async function listening(url: string, id: unknown, notifications: object): Promise<Listener> {
  return new Listener(await start(url, "subscriptions/listen", listenFor(notifications), { id }));
}

const addTool = ({ tools }: Served, name: string): void => {
  tools.add({ name, inputSchema: { type: "object" } }, () => ({ content: [] }));
};

describe("subscriptions", () => {
  test("have a stream of their own with the requested notifications (LIST-01, META-16, SHTTP-20, LIST-08)", async () => {
    const served = await serveStateless();
    const tools = await listening(served.url, "s", { toolsListChanged: true });
    const prompts = await listening(served.url, 7, { promptsListChanged: true });
    expect(tools.response.headers["content-type"]).toBe("text/event-stream");
    const acknowledged = await tools.next();
    expect(acknowledged).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { toolsListChanged: true }, _meta: { [META.subscription]: "s" } },
    });
    expect(subscriptionOf(await prompts.next())).toBe(7);
    addTool(served, "new");
    expect(await tools.next()).toMatchObject({
      method: "notifications/tools/list_changed",
      params: { _meta: { [META.subscription]: "s" } },
    });
    await ask(served.url, "tools/call", tool("steps"), progressing);
    expect(messagesIn(prompts.raw).length).toBe(1);
    expect(messagesIn(tools.raw).length).toBe(2);
    tools.leave();
    prompts.leave();
  });

  test("receive change notifications of another instance that shares the bus (STATE-03)", async () => {
    const options = { bus: new MemoryBus() };
    const [here, there] = await Promise.all([
      new Served(BOTH, options).listen(),
      new Served(BOTH, options).listen(),
    ]);
    const listener = await listening(here.url, "s", { toolsListChanged: true });
    await listener.next();
    addTool(there, "new");
    expect((await listener.next()).method).toBe("notifications/tools/list_changed");
    listener.leave();
  });

  test("end with a response when the server closes (LIST-10)", async () => {
    const served = await serveStateless();
    const listener = await listening(served.url, "s", { toolsListChanged: true });
    await listener.next();
    const closing = served.handler.close(2000);
    const last = await listener.next();
    expect(last).toMatchObject({ id: "s", result: { _meta: { [META.subscription]: "s" } } });
    expect(await listener.next()).toBeUndefined();
    await closing;
  });

  test("are kept alive by comments (SHTTP-17, LIST-08)", async () => {
    const served = await serveStateless({ keepAlive: 15 });
    const listener = await listening(served.url, "s", { toolsListChanged: true });
    await until(() => listener.raw.split(": \n\n").length > 2);
    listener.leave();
  });

  test("end when the client disconnects (LIST-09)", async () => {
    const served = await serveStateless({
      authenticate: () => ({ principal: "p" }),
      maxSubscriptionsPerPrincipal: 1,
    });
    const first = await listening(served.url, 1, { toolsListChanged: true });
    await first.next();
    const second = await ask(served.url, "subscriptions/listen", listenFor({}), { id: 2 });
    expect([second.status, second.message.id]).toEqual([429, 2]);
    first.leave();
    let third = await listening(served.url, 3, { toolsListChanged: true });
    for (let turn = 0; turn < 100 && third.response.statusCode === 429; turn++) {
      await sleep(10);
      third = await listening(served.url, 3, { toolsListChanged: true });
    }
    expect(subscriptionOf(await third.next())).toBe(3);
    addTool(served, "new");
    expect((await third.next()).method).toBe("notifications/tools/list_changed");
    expect(messagesIn(first.raw).length).toBe(1);
    third.leave();
  });

  test("do not count as pending requests, and do not delay the end", async () => {
    const served = await serveStateless({ maxRequests: 1 });
    const listener = await listening(served.url, "s", { toolsListChanged: true });
    await listener.next();
    expect((await ask(served.url, "tools/call", tool("steps"))).status).toBe(200);
    // If it waited for the subscription, it would exceed the test's time limit.
    await served.handler.close(600_000);
  });
});
