import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import type { Authenticate } from "../../../runtime/http/server/index.js";
import { ACCEPT, initialize, overNode, serve, WAYS } from "./serve.js";
import { ToyServer } from "./toy-server.js";

describe.each(WAYS)("response headers over $way", ({ reach }) => {
  it.each([
    ["the value", { "WWW-Authenticate": "Bearer\r\nSet-Cookie: stolen=1" }],
    ["the name", { "X-Why\r\nSet-Cookie: stolen=1\r\nX": "1" }],
  ])("have no additional line if %s contains a line break (H21)", async (_where, headers) => {
    const errors: Error[] = [];
    const authenticate = (() => ({ status: 401, headers })) as unknown as Authenticate;
    const onerror = (error: Error): void => void errors.push(error);
    const client = await serve(new ToyServer().server, { authenticate, onerror }, reach);
    const response = await client.post(initialize("2025-11-25"));
    expect(response.status).toBe(500);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await response.text()).not.toContain("stolen");
    expect(errors).toHaveLength(1);
  });

  it("never repeat what a client sent (H21)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const hostile = { "Mcp-Session-Id": "x%0d%0aSet-Cookie:%20stolen=1", "X-Echo": "stolen" };
    const response = await client.post({ jsonrpc: "2.0", id: 1, method: "ping" }, hostile);
    expect(JSON.stringify([...response.headers])).not.toContain("stolen");
  });
});

const post = (url: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const fields = { "Content-Type": "application/json", Accept: ACCEPT, ...headers };
    const request = httpRequest(url, { method: "POST", headers: fields }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    request.on("error", reject).end(JSON.stringify(initialize("2025-11-25")));
  });

describe("forwarded host headers (H22)", () => {
  it.each([
    [403, { Host: "evil.example", "X-Forwarded-Host": "localhost" }],
    [403, { Host: "evil.example", Forwarded: "host=localhost;proto=https" }],
    [200, { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" }],
  ])("are ignored, so that the status is %i for %j", async (status, headers) => {
    const { reached } = await serve(new ToyServer().server, {}, overNode);
    expect(await post(reached.url, headers)).toBe(status);
  });
});
