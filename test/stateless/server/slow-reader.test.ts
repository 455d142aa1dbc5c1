import { Server } from "@mcp-codegen/2026-07-28";
import { Resources } from "@mcp-codegen/2026-07-28/features";
import { describe, expect, it } from "vitest";
import type { Frame } from "../../../runtime/wire/messages/jsonrpc.js";
import { RawPeer, type Wire } from "../../engine/support/raw-peer.js";
import { envelope, META } from "./support/raw-client.js";

/** A client that reads only when the test says so. */
class SlowPeer extends RawPeer {
  #waiting: (() => void)[] = [];

  override send(frame: Frame, relatedTo?: unknown): undefined {
    super.send(frame, relatedTo);
    return new Promise<void>((resolve) => this.#waiting.push(resolve)) as never;
  }

  read(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function withFiles(count: number): { server: Server; resources: Resources; errors: Error[] } {
  const resources = new Resources({ subscriptions: { unknown: true } });
  const errors: Error[] = [];
  const options = { features: [resources], onerror: (error: Error) => void errors.push(error) };
  const server = new Server({ name: "test", version: "1" }, {}, options);
  for (let index = 0; index < count; index++) {
    resources.add({ uri: `a:b/${index}`, name: "n" }, (uri) => ({ contents: [{ uri, text: "" }] }));
  }
  return { server, resources, errors };
}

async function listening(server: Server): Promise<SlowPeer> {
  const peer = new SlowPeer();
  await server.connect(peer);
  const params = { notifications: { resourceSubscriptions: ["a:b"] }, _meta: envelope() };
  peer.ask("s", "subscriptions/listen", params);
  await peer.next();
  peer.read();
  await peer.rest();
  return peer;
}

/** Returns all messages that arrive while the client reads, until there are no more. */
async function drained(peer: SlowPeer): Promise<Wire[]> {
  const all: Wire[] = [];
  for (let idle = 0; idle < 2;) {
    peer.read();
    const notifications = await peer.rest();
    idle = notifications.length === 0 ? idle + 1 : 0;
    all.push(...notifications);
  }
  return all;
}

describe("a client that does not read", () => {
  it("queues a bounded number of messages, and receives the rest once when it reads again", async () => {
    const { server, resources } = withFiles(100);
    const peer = await listening(server);
    for (let turn = 0; turn < 50; turn++) {
      for (let index = 0; index < 100; index++) resources.updated(`a:b/${index}`);
      await Promise.resolve();
    }
    const before = (await peer.rest()).length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThanOrEqual(100);
    const uris = (await drained(peer)).map(({ params }) => params.uri);
    expect(new Set(uris).size).toBe(uris.length);
    expect(uris).toHaveLength(100);
  });

  it("loses its subscription when it has missed too much", async () => {
    const { server, resources, errors } = withFiles(0);
    const peer = await listening(server);
    for (let index = 0; index < 3000; index++) resources.updated(`a:b/${index}`);
    await drained(peer);
    expect(peer.received.find(({ id }) => id === "s").result).toMatchObject({
      resultType: "complete",
      _meta: { [META.subscription]: "s" },
    });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: "OVERLOAD" });
    const count = peer.received.length;
    resources.updated("a:b/1");
    expect(await drained(peer)).toEqual([]);
    expect(peer.received).toHaveLength(count);
  });
});
