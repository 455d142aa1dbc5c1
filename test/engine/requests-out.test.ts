import { describe, expect, it, vi } from "vitest";
import { ConnectionClosedError, RpcError } from "../../runtime/wire/errors.js";
import type { Validator } from "../../runtime/wire/validation/validator.js";
import { rawServerOf, TinyClient } from "./support/tiny-endpoints.js";
import { tinyRevision } from "./support/tiny-revision.js";

/** Reports a member whose name contains terminal control codes. */
const hostile: Validator = (_value, trace): _value is unknown => {
  trace?.push({ path: "/\u001b[2J\n\u009b", expected: "string", received: "5" });
  return false;
};

describe("sent requests", () => {
  it("have ids of their own and resolve with their result (BASE-04, BASE-06)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client, { capabilities: { text: {} } });
    const [one, two] = [
      client.request("text/echo", { text: "1" }),
      client.request("text/echo", { text: "2" }),
    ];
    const [first, second] = [await raw.next(), await raw.next()];
    expect(first).toMatchObject({ jsonrpc: "2.0", method: "text/echo", params: { text: "1" } });
    expect(first.id).not.toBe(second.id);
    raw.answer(second.id, { text: "two" });
    raw.answer(first.id, { text: "one" });
    await expect(one).resolves.toEqual({ text: "one" });
    await expect(two).resolves.toEqual({ text: "two" });
  });

  it("ignore a response with an id of another JSON type (CANC-14)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const pending = client.request("text/work");
    const { id } = await raw.next();
    raw.answer(String(id), { wrong: true });
    raw.answer(id, { right: true });
    await expect(pending).resolves.toEqual({ right: true });
    expect(client.errors).toHaveLength(1);
  });

  it("reject with the peer's error, data included (BASE-08)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const pending = client.request("text/work");
    const { id } = await raw.next();
    const error = { code: -32002, message: "not found", data: { uri: "a:b" } };
    raw.say({ jsonrpc: "2.0", id, error });
    await expect(pending).rejects.toBeInstanceOf(RpcError);
    await expect(pending).rejects.toMatchObject(error);
  });

  const broken: [string, (id: number) => object][] = [
    ["both result and error", (id) => ({ id, result: {}, error: { code: 1, message: "" } })],
    ["neither", (id) => ({ id })],
    ["an error without a code", (id) => ({ id, error: { message: "no" } })],
    ["an error with a fractional code", (id) => ({ id, error: { code: 1.5, message: "no" } })],
    ["an error without a message", (id) => ({ id, error: { code: 1 } })],
    ["an error that is null", (id) => ({ id, error: null })],
    ["a result that is null", (id) => ({ id, result: null })],
    ["no version", (id) => ({ jsonrpc: undefined, id, result: {} })],
  ];
  it.each(broken)("reject as invalid for %s (BASE-07, BASE-08, I06)", async (_name, answer) => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const pending = client.request("text/work");
    const { id } = await raw.next();
    raw.say({ jsonrpc: "2.0", ...answer(id) });
    await expect(pending).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
    expect(await raw.rest()).toEqual([]);
  });

  it("reject a result that is not of its type, with the issues (GEN-04)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client, { capabilities: { text: {} } });
    const pending = client.request("text/echo", { text: "a" });
    raw.answer((await raw.next()).id, { text: 5 });
    await expect(pending).rejects.toMatchObject({
      code: "INVALID_MESSAGE",
      message: expect.stringContaining("/text: expected string"),
      issues: [{ path: "/text", expected: "string", received: "number" }],
    });
  });

  it("keep terminal codes of the peer out of logs", async () => {
    const revision = tinyRevision();
    const row = { ...revision.methods.get("text/work")!, result: hostile };
    const methods = new Map([...revision.methods, ["text/work", row]]);
    const client = new TinyClient({}, {}, [{ ...revision, methods }]);
    const raw = await rawServerOf(client);
    const pending = client.request("text/work");
    raw.answer((await raw.next()).id, {});
    await expect(pending).rejects.toThrow("/\ufffd[2J\ufffd\ufffd: expected string");
  });

  it("keep unknown members of a result (BASE-16, GEN-10)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const pending = client.request("ping");
    raw.answer((await raw.next()).id, { extra: { deep: [1] } });
    await expect(pending).resolves.toEqual({ extra: { deep: [1] } });
  });

  it("ignore a second response, and report it (I05)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const pending = client.request("ping");
    const { id } = await raw.next();
    raw.answer(id, { first: true });
    raw.answer(id, { second: true });
    await expect(pending).resolves.toEqual({ first: true });
    expect(client.errors).toMatchObject([{ message: expect.stringContaining("A second answer") }]);
  });

  it("are not sent if they cannot be written as JSON", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    await expect(client.request("text/work", { big: 1n })).rejects.toBeInstanceOf(TypeError);
    await expect(client.notify("notifications/typing", { big: 1n })).rejects.toThrow(TypeError);
    expect(await raw.rest()).toEqual([]);
    const pending = client.request("ping");
    raw.answer((await raw.next()).id, {});
    await expect(pending).resolves.toEqual({});
  });

  it("are not sent if the revision has no such method for this side", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    for (const method of ["user/ask", "no/such", "notifications/typing", "constructor"]) {
      await expect(client.request(method as "ping")).rejects.toMatchObject({ code: "CAPABILITY" });
    }
    await expect(client.notify("ping" as "notifications/typing")).rejects.toMatchObject({
      code: "CAPABILITY",
    });
    expect(await raw.rest()).toEqual([]);
  });

  it("reject at once above the limit (I18)", async () => {
    const client = new TinyClient({}, { limits: { outgoing: 2 } });
    const raw = await rawServerOf(client);
    const pending = [client.request("ping"), client.request("ping")];
    await expect(client.request("ping")).rejects.toMatchObject({ code: "OVERLOAD" });
    raw.answer((await raw.next()).id, {});
    raw.answer((await raw.next()).id, {});
    await Promise.all(pending);
    const more = client.request("ping");
    raw.answer((await raw.next()).id, {});
    await expect(more).resolves.toEqual({});
  });

  it("reject when the connection closes, on either side (I18, I19)", async () => {
    for (const ends of ["here", "there", "there, with an error"]) {
      const client = new TinyClient();
      const raw = await rawServerOf(client);
      const pending = client.request("text/work");
      const cause = new Error("wire cut");
      if (ends === "here") await client.close();
      else raw.receiver.closed(ends === "there" ? undefined : cause);
      await expect(pending).rejects.toBeInstanceOf(ConnectionClosedError);
      await expect(client.request("ping")).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
      expect(await client.closed).toBe(ends === "there, with an error" ? cause : undefined);
      expect(raw.isClosed).toBe(true);
    }
  });

  it("cause no unhandled rejection if no caller awaits them (I19)", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const client = new TinyClient();
    void client.request("ping");
    await rawServerOf(client);
    void client.request("text/work");
    void client.notify("notifications/typing", { big: 1n });
    await client.close();
    void client.request("text/work");
    void client.notify("notifications/typing");
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("reject before connect() and after close()", async () => {
    const client = new TinyClient();
    await expect(client.request("ping")).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    await client.close();
    await expect(client.notify("notifications/typing")).rejects.toThrow("connect()");
  });
});
