import { describe, expect, it } from "vitest";
import { RpcError } from "../../runtime/wire/errors.js";
import type { AnyCall, AnyMiddleware } from "../../runtime/api/middleware.js";
import { rawClientOf, TinyServer } from "./support/tiny-endpoints.js";

const echo = { "text/echo": ({ text }: { text: string }) => ({ text }) };

describe("middleware", () => {
  it("wraps the handlers, the first outermost", async () => {
    const order: string[] = [];
    const named =
      (name: string): AnyMiddleware =>
      async (_call, next) => {
        order.push(`${name} in`);
        const result = await next();
        order.push(`${name} out`);
        return result;
      };
    const raw = await rawClientOf(
      new TinyServer(echo, { middleware: [named("first"), named("second")] }),
    );
    expect((await raw.call(1, "text/echo", { text: "a" })).result).toEqual({ text: "a" });
    expect(order).toEqual(["first in", "second in", "second out", "first out"]);
  });

  it("sees each call, and may change its parameters and result", async () => {
    const calls: AnyCall[] = [];
    const shout: AnyMiddleware = async (call, next) => {
      calls.push(call);
      const { text } = call.params as { text: string };
      const result = (await next({ params: { text: text.toUpperCase() } })) as { text: string };
      return { text: `${result.text}!` };
    };
    const raw = await rawClientOf(new TinyServer(echo, { middleware: [shout] }));
    expect((await raw.call(1, "text/echo", { text: "a" })).result).toEqual({ text: "A!" });
    const [{ kind, method, context } = {} as AnyCall] = calls;
    expect([kind, method, context.id]).toEqual(["request", "text/echo", 1]);
  });

  it("may return a result itself, and may throw", async () => {
    const refusal = new RpcError(7, "not today");
    const refuse: AnyMiddleware = () => {
      throw refusal;
    };
    const raw = await rawClientOf(new TinyServer(echo, { middleware: [refuse] }));
    expect((await raw.call(1, "text/echo", { text: "a" })).error).toEqual({
      code: 7,
      message: "not today",
    });
  });

  it("cannot turn a valid result into an invalid one", async () => {
    const raw = await rawClientOf(new TinyServer(echo, { middleware: [() => ({ text: 1 })] }));
    expect((await raw.call(1, "text/echo", { text: "a" })).error.code).toBe(-32603);
  });

  it("sees notifications, except those for the engine", async () => {
    const seen: string[] = [];
    const watch: AnyMiddleware = ({ method }, next) => {
      seen.push(method);
      return next();
    };
    const server = new TinyServer({ "notifications/typing": () => {} }, { middleware: [watch] });
    const raw = await rawClientOf(server);
    raw.tell("notifications/typing");
    await raw.call(1, "ping");
    expect(seen).toEqual(["notifications/typing"]);
  });

  it("of features runs inside that of the options", async () => {
    const order: string[] = [];
    const named =
      (name: string): AnyMiddleware =>
      (_call, next) => {
        order.push(name);
        return next();
      };
    const feature = { handlers: echo, middleware: [named("feature")] };
    const server = new TinyServer(
      {},
      { features: [feature as never], middleware: [named("option")] },
    );
    await (await rawClientOf(server)).call(1, "text/echo", { text: "a" });
    expect(order).toEqual(["option", "feature"]);
  });
});
