import { expect, onTestFinished, test } from "vitest";
import { revision as known } from "@mcp-codegen/2026-07-28/methods";
import { ClientBase, type Revision } from "@mcp-codegen/runtime";
import { clientOfAnyKind } from "../../../runtime/negotiation/index.js";
import { RawPeer, type Wire } from "../../engine/support/raw-peer.js";
import { discovered, KEY, metaOf } from "./support/raw-server.js";

const newer: Revision = { ...known, id: "2099-01-01" };

class AnyClient extends ClientBase<
  Record<string, { params?: unknown; result: Wire }>,
  Record<string, { params?: unknown }>,
  unknown,
  unknown
> {
  constructor() {
    const info = { name: "test", version: "1" };
    super([newer, known], info, {}, { onerror: () => {} }, clientOfAnyKind as never);
  }
}

function connecting() {
  const [client, server] = [new AnyClient(), new RawPeer()];
  onTestFinished(() => client.close());
  return { client, server, connected: client.connect(server) };
}

test("a server that refuses the preferred revision gets the request in one that it supports (VER-03, DISC-05)", async () => {
  const { client, server, connected } = connecting();
  const first = await server.next();
  expect(metaOf(first)[KEY.revision]).toBe(newer.id);
  const data = { supported: ["2025-11-25", known.id], requested: newer.id };
  server.say({ jsonrpc: "2.0", id: first.id, error: { code: -32022, message: "?", data } });
  const second = await server.next();
  expect(metaOf(second)[KEY.revision]).toBe(known.id);
  server.answer(second.id, discovered());
  await connected;
  expect(client.revision).toBe(known.id);
  void client.request("tools/list").catch(() => {});
  expect(metaOf(await server.next())[KEY.revision]).toBe(known.id);
});

test("the client's order decides among the revisions of a server (ERA-02)", async () => {
  const { client, server, connected } = connecting();
  const supportedVersions = [known.id, newer.id];
  server.answer((await server.next()).id, discovered({ supportedVersions }));
  await connected;
  expect(client.revision).toBe(newer.id);
});

test("a server that answers at a revision it does not list is accepted (ERA-02)", async () => {
  const { client, server, connected } = connecting();
  server.answer((await server.next()).id, discovered());
  await connected;
  expect(client.revision).toBe(known.id);
});

test.each([
  [["2025-11-25"], { code: "UNSUPPORTED_REVISION", supported: ["2025-11-25"] }],
  [
    [newer.id],
    { code: "LIFECYCLE", message: expect.stringMatching(/no longer supports.*connect again/) },
  ],
])(
  "a server that agreed, and now has %j, is described in the error (VER-03)",
  async (supported, error) => {
    const { client, server, connected } = connecting();
    const supportedVersions = [known.id];
    server.answer((await server.next()).id, discovered({ supportedVersions }));
    await connected;
    const listed = client.request("tools/list");
    const { id } = await server.next();
    const data = { supported, requested: known.id };
    server.say({ jsonrpc: "2.0", id, error: { code: -32022, message: "?", data } });
    await expect(listed).rejects.toMatchObject(error);
  },
);

test.each([undefined, {}, { supported: 7 }, { supported: [null, "2025-11-25"] }])(
  "a refusal with the data %j is final (VER-03)",
  async (data) => {
    const { server, connected } = connecting();
    const { id } = await server.next();
    server.say({ jsonrpc: "2.0", id, error: { code: -32022, message: "?", data } });
    await expect(connected).rejects.toMatchObject({ code: "UNSUPPORTED_REVISION" });
    expect(server.received).toHaveLength(1);
  },
);
