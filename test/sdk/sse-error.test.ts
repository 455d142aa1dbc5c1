import { Client, SSEClientTransport, SseError } from "@mcp-codegen/sdk/client";
import { isLegacyRequest, readRequestBody } from "@mcp-codegen/sdk/server";
import { describe, expect, it } from "vitest";

describe("SSEClientTransport", () => {
  it.each([401, 404, 405])("rejects with an SseError that has the status: %i", async (status) => {
    const fetch = async () => new Response("no", { status });
    const client = new Client({ name: "older", version: "1.0.0" });
    const transport = new SSEClientTransport(new URL("http://older.example/sse"), { fetch });
    const error = await client.connect(transport).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(SseError);
    expect(error).toMatchObject({ code: status, event: { type: "error", code: status } });
  });
});

const post = (body: BodyInit, headers = {}) =>
  new Request("http://127.0.0.1/mcp", { method: "POST", body, headers, duplex: "half" } as never);
const endless = () =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024)) });

describe("bodies of requests", () => {
  it("are read up to a limit", async () => {
    expect(await readRequestBody(post("four"), 4)).toEqual({ tooLarge: false, text: "four" });
    expect(await readRequestBody(post("fives"), 4)).toEqual({ tooLarge: true });
    expect(await readRequestBody(post(endless()), 4096)).toEqual({ tooLarge: true });
  });

  it("are not read without a limit to find out which era a request has", async () => {
    expect(await isLegacyRequest(post(endless()), undefined, { maxRequestBodySize: 4096 })).toBe(
      false,
    );
    expect(await isLegacyRequest(post("{"))).toBe(true);
  });
});
