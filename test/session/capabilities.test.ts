import { describe, expect, it } from "vitest";
import type { Wire } from "../engine/support/raw-peer.js";
import { rawClientOf, TinyServer } from "../engine/support/tiny-endpoints.js";

async function declared(
  handlers: Record<string, () => object>,
  capabilities: object,
): Promise<Wire> {
  const raw = await rawClientOf(new TinyServer(handlers, { capabilities }));
  return raw.received[0].result.capabilities;
}

const handler = (): object => ({});

describe("capabilities of a server", () => {
  it("follow from the handlers, merged with explicit ones (LIFE-19)", async () => {
    expect(await declared({}, {})).toEqual({});
    expect(await declared({ "text/echo": handler }, {})).toEqual({ text: {} });
    expect(await declared({ "text/echo": handler, "text/watch": handler }, {})).toEqual({
      text: { watch: true },
    });
    const more = { text: { changes: true }, other: {} };
    expect(await declared({ "text/watch": handler }, more)).toEqual({
      text: { watch: true, changes: true },
      other: {},
    });
  });

  it("may be explicit, which switches methods off (LIFE-12)", async () => {
    const off = { capabilities: { text: { watch: false } } };
    const raw = await rawClientOf(new TinyServer({ "text/watch": handler }, off));
    expect((await raw.call(1, "text/watch")).error.code).toBe(-32601);
  });

  it("prevent undeclared messages (LIFE-12)", async () => {
    const server = new TinyServer();
    const raw = await rawClientOf(server);
    await expect(server.notify("notifications/changed")).rejects.toMatchObject({
      code: "CAPABILITY",
      capability: "server.text.changes",
    });
    expect(await raw.rest()).toEqual([]);
  });

  it("prevent requests that the client has not declared (LIFE-12)", async () => {
    const server = new TinyServer();
    const raw = await rawClientOf(server);
    await expect(server.request("user/ask")).rejects.toMatchObject({
      code: "CAPABILITY",
      capability: "client.ask",
    });
    expect(await raw.rest()).toEqual([]);
  });

  it.each([
    ["a member that needs another capability", { secret: 1 }, { ask: {} }, "client.ask.secret"],
    [
      "a value that needs another capability",
      { mode: "form" },
      { ask: { other: {} } },
      "client.ask.form",
    ],
    [
      "an absent member that stands for such a value",
      {},
      { ask: { other: {} } },
      "client.ask.form",
    ],
    ["a member that must not be sent", { context: "x" }, { ask: {} }, "client.ask.context"],
  ])("prevent a message with %s", async (_name, requested, capabilities, capability) => {
    const server = new TinyServer();
    const raw = await rawClientOf(server, { capabilities });
    await expect(server.request("user/ask", requested)).rejects.toMatchObject({ capability });
    expect(await raw.rest()).toEqual([]);
  });

  it.each([
    ["an empty capability that includes the usual one", {}, { ask: {} }],
    ["declared", { mode: "form" }, { ask: { form: {}, other: {} } }],
    ["another value", { mode: "page" }, { ask: { other: {} } }],
    ["a full declaration", { secret: 1 }, { ask: { secret: {}, form: {} } }],
  ])("allow %s", async (_name, requested, capabilities) => {
    const server = new TinyServer();
    const raw = await rawClientOf(server, { capabilities });
    const pending = server.request("user/ask", requested);
    const { id, params: sent } = await raw.next();
    expect(sent).toEqual(requested);
    raw.answer(id, { answer: "yes" });
    await expect(pending).resolves.toEqual({ answer: "yes" });
  });

  it("are compared with the parameters of each message", async () => {
    const server = new TinyServer();
    const raw = await rawClientOf(server, { capabilities: { ask: {} } });
    void server.request("user/ask");
    await raw.next();
    const secret = server.request("user/ask", { secret: 1 });
    await expect(secret).rejects.toMatchObject({ code: "CAPABILITY" });
  });

  it("omit an undeclared member that has no effect otherwise (TASK-03)", async () => {
    const server = new TinyServer();
    const raw = await rawClientOf(server, { capabilities: { ask: {} } });
    const requested = { task: { ttl: 1 }, question: "?" };
    void server.request("user/ask", requested);
    expect((await raw.next()).params).toEqual({ question: "?" });
    expect(requested).toHaveProperty("task");
    const willing = new TinyServer();
    const rawWilling = await rawClientOf(willing, { capabilities: { ask: {}, tasks: {} } });
    void willing.request("user/ask", requested);
    expect((await rawWilling.next()).params).toEqual(requested);
  });
});
