import { describe, expect, it } from "vitest";
import { packages } from "../support/packages.js";
import { knowledgeOf } from "../support/knows.js";
import { initializeResult } from "../support/raw-server-result.js";
import { Tap } from "./tap.js";

const request = (id: unknown, method: string, params?: object) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params && { params }),
});
const notified = (method: string, params?: object) => ({
  jsonrpc: "2.0",
  method,
  ...(params && { params }),
});
const answer = (id: unknown, result: unknown) => ({ jsonrpc: "2.0", id, result });
const refusal = (id: unknown, error: unknown) => ({ jsonrpc: "2.0", id, error });

describe.each(packages.map((one) => [one.revision.id, one] as const))("%s: a tap", (id, from) => {
  /** Creates a tap at a server whose client has initialized. */
  function tapped(clientCapabilities: object = {}): Tap {
    const tap = new Tap({ packages: [from], side: "server" });
    const clientInfo = { name: "a", version: "1" };
    const params = { protocolVersion: id, capabilities: clientCapabilities, clientInfo };
    tap.received(request("init", "initialize", params));
    tap.sent(answer("init", initializeResult(from)));
    tap.received(notified("notifications/initialized"));
    tap.received(request(1, "tools/call", { name: "a", _meta: { progressToken: "t" } }));
    return tap;
  }

  it("reports nothing for valid traffic", () => {
    const tap = tapped({ roots: {} });
    tap.sent(notified("notifications/progress", { progressToken: "t", progress: 0.5 }));
    tap.sent(notified("notifications/progress", { progressToken: "t", progress: 1 }));
    tap.sent(request(1, "roots/list"));
    tap.received(answer(1, { roots: [] }));
    tap.sent(notified("notifications/message", { level: "info", data: null }));
    tap.sent(answer(1, { content: [] }));
    tap.received(request("", "ping"));
    tap.sent(answer("", {}));
    tap.received(request(2, "none/such"));
    expect(tap.violations).toEqual([expect.stringContaining("no request of")]);
    tap.sent(refusal(2, { code: -32601, message: "no" }));
    expect(tap.violations).toHaveLength(1);
  });

  it.each<[string, RegExp, (tap: Tap) => void]>([
    ["not a message", /no JSON-RPC/, (tap) => tap.sent({ jsonrpc: "1.0", id: 1, result: {} })],
    ["both result and error", /no JSON-RPC/, (tap) => tap.sent({ ...answer(1, {}), error: {} })],
    ["an id that is null", /no JSON-RPC/, (tap) => tap.sent(request(null, "ping"))],
    ["an invalid result", /content/, (tap) => tap.sent(answer(1, { content: "text" }))],
    ["an id of another type", /answer to nothing/, (tap) => tap.sent(answer("1", {}))],
    ["an error without a code", /without a code/, (tap) => tap.sent(refusal(1, { message: "a" }))],
    ["an unknown method", /no notification of/, (tap) => tap.sent(notified("none/such"))],
    ["a wrong direction", /not for a server/, (tap) => tap.sent(request(9, "tools/list"))],
    ["invalid params", /level/, (tap) => tap.sent(notified("notifications/message", { data: 1 }))],
    ["an undeclared capability", /undeclared/, (tap) => tap.sent(request(9, "roots/list"))],
    ["progress for an unknown request", /progress for an unknown/, (tap) => progress(tap, "u", 1)],
    ["an empty batch", /batch/, (tap) => tap.sent([])],
    [
      "a cancellation of an unknown request",
      /cancellation of an unknown/,
      (tap) => cancel(tap, 77),
    ],
  ])("reports %s", (_what, complaint, say) => {
    const tap = tapped();
    say(tap);
    expect(tap.violations.join("\n")).toMatch(complaint);
  });

  it("reports messages that are repeated, late or out of order", () => {
    const tap = tapped();
    progress(tap, "t", 2);
    progress(tap, "t", 2);
    expect(tap.violations.splice(0)).toEqual([expect.stringContaining("does not increase")]);
    tap.sent(answer(1, { content: [] }));
    tap.sent(answer(1, { content: [] }));
    progress(tap, "t", 3);
    expect(tap.violations.splice(0)).toEqual([
      expect.stringContaining("a second answer"),
      expect.stringContaining("after the end"),
    ]);
    tap.received(request(2, "tools/call", { name: "a" }));
    tap.received(notified("notifications/cancelled", { requestId: 2 }));
    tap.sent(answer(2, { content: [] }));
    expect(tap.violations.splice(0)).toEqual([expect.stringContaining("after the cancellation")]);
    tap.sent(request(5, "ping"));
    tap.sent(request(5, "ping"));
    expect(tap.violations).toEqual([expect.stringContaining("used before")]);
  });

  it("reports a request that is sent too early", () => {
    const client = new Tap({ packages: [from], side: "client" });
    client.sent(request(1, "tools/list"));
    expect(client.violations).toEqual([expect.stringContaining("too early")]);
  });

  it("reports a batch only if the revision has none", () => {
    const tap = tapped();
    tap.received([request(7, "ping")]);
    tap.sent([answer(7, {})]);
    expect(tap.violations.length > 0).toBe(!from.revision.traits.batching);
  });

  it("checks incoming messages only if an option says so", () => {
    const tap = new Tap({ packages: [from], side: "server", checksReceived: false });
    tap.received({ odd: true });
    tap.received(request(1, "tools/call", { name: 5 }));
    expect(tap.violations).toEqual([]);
  });
});

it("every trait has a revision with it and one without it", () => {
  const all = packages.map(knowledgeOf);
  for (const name of Object.keys(all[0]!) as (keyof (typeof all)[0])[]) {
    expect(new Set(all.map((knows) => knows[name])), name).toEqual(new Set([true, false]));
  }
});

function progress(tap: Tap, progressToken: unknown, value: number): void {
  tap.sent(notified("notifications/progress", { progressToken, progress: value }));
}

function cancel(tap: Tap, requestId: unknown): void {
  tap.sent(notified("notifications/cancelled", { requestId }));
}
