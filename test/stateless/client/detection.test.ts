import { describe, expect, onTestFinished, test } from "vitest";
import { revision as newest } from "@mcp-codegen/2026-07-28/methods";
import { revision as older } from "@mcp-codegen/2025-06-18/methods";
import { revision as newestShaken } from "@mcp-codegen/2025-11-25/methods";
import { ClientBase, type ConnectOptions, LocalError } from "@mcp-codegen/runtime";
import { clientOfAnyKind } from "../../../runtime/negotiation/index.js";
import { RawPeer, type Wire } from "../../engine/support/raw-peer.js";
import { discovered, REVISION, metaOf } from "./support/raw-server.js";

class AnyClient extends ClientBase<
  Record<string, { params?: unknown; result: Wire }>,
  Record<string, { params?: unknown }>,
  unknown,
  unknown
> {
  constructor(errors: Error[]) {
    const handlers = { "roots/list": () => ({ roots: [] }) };
    const options = { onerror: (error: Error) => errors.push(error) };
    const info = { name: "test", version: "1" };
    super([newest, newestShaken, older], info, handlers, options, clientOfAnyKind as never);
  }
}

function connecting(options?: ConnectOptions, server: RawPeer = new RawPeer()) {
  const errors: Error[] = [];
  const client = new AnyClient(errors);
  onTestFinished(() => client.close());
  const connected = client.connect(server, options);
  connected.catch(() => {});
  return { client, server, connected, errors };
}

const initialized = (protocolVersion: string): object => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: "old", version: "0" },
});

async function shake(server: RawPeer, id = "2025-11-25"): Promise<void> {
  const discovery = await server.next();
  expect(discovery.method).toBe("initialize");
  expect(discovery.params.protocolVersion).toBe("2025-11-25");
  server.answer(discovery.id, initialized(id));
  expect((await server.next()).method).toBe("notifications/initialized");
}

test("a server that answers server/discover is stateless (ERA-01, ERA-02)", async () => {
  const { client, server, connected } = connecting();
  const probe = await server.next();
  expect(probe.method).toBe("server/discover");
  server.answer(probe.id, discovered({ supportedVersions: ["2025-11-25", REVISION] }));
  await connected;
  expect(client.revision).toBe(REVISION);
  void client.request("tools/list");
  expect(metaOf(await server.next())).toBeDefined();
});

test.each([-32601, -32602, -32600, -32603, -32000, -32001, -32002, -32003, -32004, 0])(
  "a server that answers with the error %d gets a handshake (ERA-04, ERR-07)",
  async (code) => {
    const { client, server, connected } = connecting();
    const probe = await server.next();
    server.say({ jsonrpc: "2.0", id: probe.id, error: { code, message: "?" } });
    await shake(server, "2025-06-18");
    await connected;
    expect(client.revision).toBe("2025-06-18");
    void client.request("tools/list");
    expect((await server.next()).params).toEqual({});
  },
);

/** Connects to a server that stays silent until it has received both server/discover and initialize. */
async function askedBoth(options: ConnectOptions = { probeTimeout: 10 }) {
  const all = connecting(options);
  const probe = await all.server.next();
  const initialize = await all.server.next();
  expect([probe.method, initialize.method]).toEqual(["server/discover", "initialize"]);
  return { ...all, probe, initialize };
}

const refusal = (id: unknown, message: string): object => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32601, message },
});

test("a silent server gets a handshake, and may answer server/discover late (ERA-04, ERA-06)", async () => {
  const { client, server, probe, initialize, connected, errors } = await askedBoth();
  server.answer(initialize.id, initialized("2025-11-25"));
  await connected;
  server.answer(probe.id, discovered());
  await server.rest();
  expect(client.revision).toBe("2025-11-25");
  expect(server.received.at(-1).method).toBe("notifications/initialized");
  expect(errors).toEqual([]);
});

/** Makes a slow server answer both requests, and returns the discovery request that follows. */
async function answerBoth(all: Awaited<ReturnType<typeof askedBoth>>, first: string) {
  const { server, probe, initialize } = all;
  const discover = (): void => server.answer(probe.id, discovered());
  const shakeHands = (): void => server.answer(initialize.id, initialized("2025-11-25"));
  const answers = [discover, shakeHands];
  for (const answer of first === "discovery" ? answers : answers.toReversed()) answer();
  const again = await server.next();
  expect(again.method).toBe("server/discover");
  return again;
}

describe.each(["discovery", "handshake"])(
  "a slow server that answers both, the %s first",
  (first) => {
    test("is stateless if it answers server/discover again (ERA-02, ERA-04)", async () => {
      const all = await askedBoth();
      const { client, server, connected, errors } = all;
      const again = await answerBoth(all, first);
      server.answer(again.id, discovered());
      await connected;
      expect(client.revision).toBe(REVISION);
      void client.request("tools/list");
      const [call, ...more] = await server.rest();
      expect([call.method, metaOf(call) !== undefined, more]).toEqual(["tools/list", true, []]);
      expect(errors).toEqual([]);
    });

    test("keeps its session if it refuses server/discover the second time (ERA-04)", async () => {
      const all = await askedBoth();
      const { client, server, connected, errors } = all;
      const again = await answerBoth(all, first);
      server.say(refusal(again.id, "There is a session"));
      await connected;
      expect(client.revision).toBe("2025-11-25");
      void client.request("tools/list");
      const [notified, call, ...more] = await server.rest();
      expect([notified.method, call.method, more]).toEqual([
        "notifications/initialized",
        "tools/list",
        [],
      ]);
      expect(metaOf(call)).toBeUndefined();
      expect(errors).toEqual([]);
    });
  },
);

test("a slow server that refuses the handshake second is stateless (ERA-02, ERA-12)", async () => {
  const { client, server, probe, initialize, connected, errors } = await askedBoth();
  server.answer(probe.id, discovered());
  server.say(refusal(initialize.id, "?"));
  await connected;
  expect(client.revision).toBe(REVISION);
  void client.request("tools/list");
  const [call, ...more] = await server.rest();
  expect([call.method, metaOf(call) !== undefined, more]).toEqual(["tools/list", true, []]);
  expect(errors).toEqual([]);
});

test("a slow server that refuses the handshake first is stateless (ERA-04, ERA-12)", async () => {
  const { client, server, probe, initialize, connected } = await askedBoth();
  server.say(refusal(initialize.id, "?"));
  await server.rest();
  server.answer(probe.id, discovered());
  await connected;
  expect(client.revision).toBe(REVISION);
  void client.request("tools/list");
  expect((await server.next()).params).toHaveProperty("_meta");
});

test.each(["discovery", "handshake"])(
  "a server that refuses both rejects with its error to the handshake, the %s first (ERA-04)",
  async (first) => {
    const { server, probe, initialize, connected } = await askedBoth();
    const refusals = [refusal(probe.id, "?"), refusal(initialize.id, "No handshake")];
    for (const one of first === "discovery" ? refusals : refusals.toReversed()) server.say(one);
    await expect(connected).rejects.toThrow("No handshake");
  },
);

test("a server that proves newer while the handshake is pending is not a session server (ERA-03)", async () => {
  const { server, probe, connected } = await askedBoth();
  const data = { supported: ["2099-01-01"], requested: REVISION };
  server.say({ jsonrpc: "2.0", id: probe.id, error: { code: -32022, message: "?", data } });
  await expect(connected).rejects.toMatchObject({ code: "UNSUPPORTED_REVISION" });
});

test("a server that answers nothing is reported with both options", async () => {
  const { server, connected } = await askedBoth({ probeTimeout: 10, timeout: 50 });
  await expect(connected).rejects.toMatchObject({
    code: "REQUEST_TIMEOUT",
    message:
      "initialize: no response arrived, nor one to the discovery 10 ms before (option probeTimeout), within 50 ms (option timeout)",
  });
  expect(await server.rest()).toEqual([]);
});

test("the first request of a session has the id 0, whatever id server/discover had", async () => {
  const { probe, initialize } = await askedBoth();
  expect(typeof probe.id).toBe("string");
  expect(initialize.id).toBe(0);
});

test.each([-32020, -32021])("the error %d comes from a stateless server (ERA-03)", async (code) => {
  const { server, connected } = connecting();
  const probe = await server.next();
  server.say({ jsonrpc: "2.0", id: probe.id, error: { code, message: "?" } });
  await expect(connected).rejects.toMatchObject({ code });
  expect(server.received).toHaveLength(1);
});

test.each([
  [["2025-06-18"], true],
  [["2099-01-01", "2025-11-25"], true],
  [["2099-01-01"], false],
  [[], false],
])("a server that lists %j gets: %s (ERA-13)", async (supported, shakes) => {
  const { client, server, connected } = connecting();
  const probe = await server.next();
  const data = { supported, requested: REVISION };
  server.say({ jsonrpc: "2.0", id: probe.id, error: { code: -32022, message: "?", data } });
  if (shakes) {
    await shake(server);
    await connected;
    expect(client.revision).toBe("2025-11-25");
  } else {
    await expect(connected).rejects.toMatchObject({ code: "UNSUPPORTED_REVISION" });
  }
});

test("a discovery that lists only session revisions leads to a handshake (ERA-11, ERA-13)", async () => {
  const { server, connected } = connecting();
  const probe = await server.next();
  server.answer(probe.id, discovered({ supportedVersions: ["2025-11-25"] }));
  await shake(server);
  await connected;
});

test("a result that is not a discovery leads to a handshake (ERA-11)", async () => {
  const { server, connected } = connecting();
  const probe = await server.next();
  server.answer(probe.id, { hello: "there" });
  await shake(server);
  await connected;
});

class Failure extends LocalError {
  readonly code = "HTTP";
  readonly status: number | undefined;

  constructor(status?: number) {
    super(`Status ${status}`);
    this.status = status;
  }
}

test.each([400, 404, 405, 406, 415, 422, 200, 202])(
  "the HTTP status %d without a message leads to a handshake (ERA-07, ERA-11, GAP-15)",
  async (status) => {
    const { server, connected } = connecting();
    server.receiver.failed((await server.next()).id, new Failure(status));
    await shake(server);
    await connected;
  },
);

test.each([401, 403, 408, 429, 301, 500, 503, undefined])(
  "the HTTP status %s does not show the era (ERA-10)",
  async (status) => {
    const { server, connected } = connecting();
    server.receiver.failed((await server.next()).id, new Failure(status));
    await expect(connected).rejects.toThrow(Failure);
    expect(server.received).toHaveLength(1);
  },
);

test("a connection that ends on the probe does not show the era (ERA-06)", async () => {
  const { server, connected } = connecting();
  await server.next();
  server.receiver.closed();
  await expect(connected).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(server.received).toHaveLength(1);
});

test("a server may send a ping before its era is known", async () => {
  const { server, connected } = connecting();
  const probe = await server.next();
  expect(await server.call("p", "ping")).toEqual({ jsonrpc: "2.0", id: "p", result: {} });
  server.say({ jsonrpc: "2.0", id: probe.id, error: { code: -32601, message: "?" } });
  await shake(server);
  await connected;
  expect(await server.call("r", "roots/list")).toMatchObject({ result: { roots: [] } });
});

test("without a timeout for the probe, the timeout of each step applies and does not show the era (ERA-10)", async () => {
  const { connected } = connecting({ probeTimeout: Infinity, timeout: 10 });
  await expect(connected).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
});

test("aborting during the probe ends it", async () => {
  const abort = new AbortController();
  const { server, connected } = connecting({ signal: abort.signal });
  await server.next();
  abort.abort(new Error("enough"));
  await expect(connected).rejects.toThrow("enough");
  expect(server.received.some(({ method }) => method === "initialize")).toBe(false);
});
