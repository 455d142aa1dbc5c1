import { revision, Server } from "@mcp-codegen/2026-07-28";
import { afterEach, describe, expect, it } from "vitest";
import { envelope, META, RawClient } from "./support/raw-client.js";

const info = { name: "test", version: "1" };
const supported = ["2026-07-28"];

let client: RawClient;

afterEach(() => {
  expect(client.problems).toEqual([]);
});

function listServer(): Server {
  return new Server(info, { "tools/list": () => ({ tools: [] }) });
}

describe("the version of a request", () => {
  it.each(["2099-01-01", "2025-11-25", "", "latest", "__proto__"])(
    "is refused with the known versions: %j (VER-02, VER-06, VER-07, VER-10)",
    async (requested) => {
      client = await RawClient.of(listServer(), revision);
      const params = { _meta: envelope({}, requested) };
      client.say({ id: "v", method: "tools/list", params });
      const { error } = await client.answerTo("v");
      expect(error.code).toBe(-32022);
      expect(error.data).toEqual({ supported, requested });
      const { result } = await client.call(2, "server/discover");
      expect(result.supportedVersions).toEqual(error.data.supported);
    },
  );

  it.each([
    ["no params", undefined],
    ["no _meta", {}],
    ["an empty _meta", { _meta: {} }],
    ["an invalid _meta", { _meta: "x" }],
    ["no version", { _meta: { [META.clientCapabilities]: {} } }],
    ["a version that is not a string", { _meta: { ...envelope(), [META.revision]: 20260728 } }],
    ["no capabilities", { _meta: { [META.revision]: "2026-07-28" } }],
    ["invalid capabilities", { _meta: { ...envelope(), [META.clientCapabilities]: null } }],
    ["invalid client info", { _meta: { ...envelope(), [META.clientInfo]: "me" } }],
  ])("makes a request fail with -32602: %s (META-13, META-18)", async (_name, params) => {
    client = await RawClient.of(listServer(), revision);
    for (const method of ["tools/list", "server/discover", "subscriptions/listen"]) {
      client.say({ id: method, method, params });
      const { error } = await client.answerTo(method);
      expect(error.code, method).toBe(-32602);
    }
  });

  it("may come without the identity of the client (META-13)", async () => {
    client = await RawClient.of(listServer(), revision);
    const meta = { [META.revision]: "2026-07-28", [META.clientCapabilities]: {} };
    client.say({ id: 1, method: "tools/list", params: { _meta: meta } });
    expect((await client.answerTo(1)).result.tools).toEqual([]);
  });

  it("is named in the response to a handshake (VER-08, ERA-21)", async () => {
    client = await RawClient.of(listServer(), revision);
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info };
    client.say({ id: 1, method: "initialize", params });
    const { error } = await client.answerTo(1);
    expect(error.code).toBe(-32022);
    expect(error.message).toContain("2026-07-28");
    expect(error.data).toEqual({ supported, requested: "2025-11-25" });
  });

  it("is named even when a handshake names none (VER-08)", async () => {
    client = await RawClient.of(listServer(), revision);
    for (const method of ["initialize", "ping"]) {
      client.say({ id: method, method });
      const { error } = await client.answerTo(method);
      expect(error).toMatchObject({ code: -32601, data: { supported } });
      expect(error.message).toContain("2026-07-28");
    }
  });

  it.each([
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "unknown/method",
    "constructor",
  ])("makes %s of this revision -32601 (ERA-17, PING-04)", async (method) => {
    client = await RawClient.of(listServer(), revision);
    const { error } = await client.call(1, method, { uri: "a:b", level: "info" });
    expect(error.code).toBe(-32601);
  });

  it("makes server requests -32601 for a client", async () => {
    client = await RawClient.of(listServer(), revision);
    for (const method of ["sampling/createMessage", "elicitation/create", "roots/list"]) {
      expect((await client.call(method, method)).error.code).toBe(-32601);
    }
  });

  it("is required in notifications, which are ignored otherwise", async () => {
    client = await RawClient.of(listServer(), revision);
    client.tell("notifications/initialized");
    client.tell("notifications/unheard", { _meta: envelope({}, "2099-01-01") });
    client.tell("notifications/cancelled", { requestId: 99, _meta: envelope({}, "2099-01-01") });
    expect(await client.rest()).toEqual([]);
  });
});
