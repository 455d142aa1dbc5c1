import { describe, expectTypeOf, it } from "vitest";
import { CapabilityError, LocalError, RpcError } from "../../runtime/wire/errors.js";
import type { Progress } from "../../runtime/api/index.js";
import type { ServerContext, TinyClient, TinyServer } from "./support/tiny-endpoints.js";

/** Never called. It only has to compile, while the marked lines must not. */
export function compiles(client: TinyClient, server: TinyServer, context: ServerContext): void {
  void client.request("text/echo", { text: "" }, { timeout: 1, signal: AbortSignal.abort() });
  void client.request("ping");
  void client.request("ping", {});
  void client.request("ping", undefined, { timeout: undefined, signal: undefined });
  void client.notify("notifications/typing");
  void server.request("user/ask", {});
  void context.notify("notifications/news", { headline: "" });

  // @ts-expect-error: the parameters are missing
  void client.request("text/echo");
  // @ts-expect-error: they are of another type
  void client.request("text/echo", { text: 1 });
  // @ts-expect-error: a client does not send this
  void client.request("user/ask", {});
  // @ts-expect-error: nobody knows this
  void client.request("no/such");
  // @ts-expect-error: this is a notification
  void client.request("notifications/typing");
  // @ts-expect-error: this takes no options
  void client.notify("notifications/typing", {}, { timeout: 1 });
  // @ts-expect-error: a handler of a server does not send this
  void context.request("text/echo", { text: "" });
}

describe("types", () => {
  it("of results follow the method", () => {
    type Client = TinyClient;
    const request = null as unknown as Client["request"];
    const call = () => request("text/echo", { text: "" });
    expectTypeOf(call).returns.resolves.toEqualTypeOf<{ text: string }>();
    const send = null as unknown as ServerContext["request"];
    const ask = () => send("user/ask");
    expectTypeOf(ask).returns.resolves.toEqualTypeOf<{ answer: string }>();
  });

  it("of error codes distinguish local errors from those of the peer (ERR-05)", () => {
    expectTypeOf<RpcError["code"]>().toEqualTypeOf<number>();
    expectTypeOf<LocalError["code"]>().toExtend<string>();
    expectTypeOf<CapabilityError["code"]>().toEqualTypeOf<"CAPABILITY">();
    expectTypeOf<Progress>().toHaveProperty("progress");
  });
});
