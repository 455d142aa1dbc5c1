import { describe, expect, it } from "vitest";
import { ConnectionClosedError, UsedTransportError } from "../../runtime/wire/errors.js";
import { memoryPair } from "../../runtime/memory/memory-pair.js";
import type { Transport } from "../../runtime/wire/messages/transport.js";
import { TinyClient, TinyServer } from "../engine/support/tiny-endpoints.js";

/** A transport that never gets anywhere. */
function stuck(): Transport & { closed: number } {
  return {
    closed: 0,
    start: () => new Promise(() => {}),
    send: () => undefined,
    close() {
      this.closed++;
    },
  };
}

describe("the start of a transport", () => {
  it("takes no longer than the timeout of connect()", async () => {
    const transport = stuck();
    const connecting = new TinyClient().connect(transport, { timeout: 20 });
    await expect(connecting).rejects.toThrow("did not start within 20 ms");
    expect(transport.closed).toBe(1);
  });

  it("ends with the signal of connect()", async () => {
    const transport = stuck();
    const reason = new Error("enough");
    const aborting = new AbortController();
    const connecting = new TinyClient().connect(transport, { signal: aborting.signal });
    aborting.abort(reason);
    await expect(connecting).rejects.toBe(reason);
    expect(transport.closed).toBe(1);
  });

  it("rejects with the error of `closed`", async () => {
    const client = new TinyClient();
    const failure = new ConnectionClosedError("no such program");
    const transport = { ...stuck(), start: () => Promise.reject(failure) };
    const { closed } = client;
    await expect(client.connect(transport)).rejects.toBe(failure);
    expect(await closed).toBe(failure);
  });

  it("rejects for a transport in use, and leaves its user alone", async () => {
    const [near, far] = memoryPair();
    const client = new TinyClient();
    const server = new TinyServer({ "text/echo": ({ text }: { text: string }) => ({ text }) });
    await Promise.all([server.connect(far), client.connect(near)]);
    await expect(new TinyClient().connect(near)).rejects.toThrow(UsedTransportError);
    expect(await client.request("text/echo", { text: "a" })).toEqual({ text: "a" });
  });
});
