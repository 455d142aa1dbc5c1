import { describe, expect, it } from "vitest";
import { createHttpHandler } from "../../../runtime/http/server/index.js";
import { originCheck, type OriginCheck } from "../../../runtime/http/server/requests/access.js";
import { ACCEPT, initialize, rawRequest, serve, WAYS } from "./serve.js";
import { ToyServer } from "./toy-server.js";

const status = (
  check: OriginCheck,
  { host = "localhost", ...fields }: { host?: string; origin?: string; "sec-fetch-site"?: string },
) => check({ host, fields })?.status;

describe("the Host field (H02, HTTP-05, SEC-02)", () => {
  const guard = originCheck({});

  it.each(["localhost", "LOCALHOST:3000", "127.0.0.1:1", "[::1]", "[::1]:65535"])(
    "names the local machine with %s",
    (host) => expect(status(guard, { host })).toBeUndefined(),
  );

  it.each([
    "evil.example",
    "localhost.evil.com",
    "evil.com/localhost",
    "localhost@evil.com",
    "127.0.0.1.nip.io",
    "localhost.",
    "localhost:",
    "localhost:80:80",
    "localhost:port",
    "localhost:123456",
    "127.0.0.2",
    "2130706433",
    "[::ffff:127.0.0.1]",
    "::1",
    "[::1].evil.com",
    "",
    " localhost",
  ])("does not name the local machine with %s", (host) =>
    expect(status(guard, { host })).toBe(403),
  );

  it("may be allowed, with one port or any port", () => {
    const given = originCheck({ allowedHosts: ["Api.Example.com", "two.example.com:8443"] });
    expect(status(given, { host: "api.example.com:1" })).toBeUndefined();
    expect(status(given, { host: "two.example.com:8443" })).toBeUndefined();
    expect(status(given, { host: "two.example.com" })).toBe(403);
    expect(status(given, { host: "localhost" })).toBe(403);
    expect(status(originCheck({ allowedHosts: "any" }), { host: "evil.example" })).toBeUndefined();
  });

  it.each(["https://example.com", "example.com/", "::1", ""])("cannot be allowed as %j", (host) => {
    expect(() => createHttpHandler(new ToyServer().server, { allowedHosts: [host] })).toThrow(
      TypeError,
    );
  });
});

describe("the Origin field (H01, HTTP-02, SEC-01)", () => {
  const guard = originCheck({});

  it.each(["http://localhost:5173", "https://127.0.0.1", "http://[::1]:8080"])(
    "may be a page of the local machine: %s",
    (origin) => expect(status(guard, { origin })).toBeUndefined(),
  );

  it.each([
    "http://evil.example",
    "null",
    "",
    "http://localhost.evil.com",
    "http://localhost:80@evil.com",
    "file://",
    "http://localhost, http://evil.example",
  ])("may not be %j", (origin) => expect(status(guard, { origin })).toBe(403));

  it("may be allowed", () => {
    const given = originCheck({ allowedOrigins: ["https://app.example.com"] });
    expect(status(given, { origin: "https://app.example.com" })).toBeUndefined();
    expect(status(given, { origin: "http://app.example.com" })).toBe(403);
    expect(status(given, { origin: "http://localhost" })).toBe(403);
    expect(() => originCheck({ allowedOrigins: ["app.example.com"] })).toThrow(TypeError);
    expect(() => originCheck({ allowedOrigins: ["https://app.example.com/"] })).toThrow(TypeError);
  });

  it.each(["cross-site", "same-site"])(
    "is required for a browser request that is %s (H03)",
    (site) => {
      expect(status(guard, { "sec-fetch-site": site })).toBe(403);
      const any = originCheck({ allowedOrigins: "any" });
      expect(status(any, { "sec-fetch-site": site })).toBeUndefined();
    },
  );

  it.each(["same-origin", "none"])("is not required for %s (H03)", (site) =>
    expect(status(guard, { "sec-fetch-site": site })).toBeUndefined(),
  );
});

describe.each(WAYS)("refusals of the guard, over $way", ({ reach }) => {
  it.each(["POST", "GET", "DELETE", "OPTIONS"])(
    "answer %s from a foreign page with 403 before the body is read (H01, HTTP-03)",
    async (method) => {
      const toy = new ToyServer();
      const { reached } = await serve(toy.server, { authenticate: () => expect.fail() }, reach);
      const response = await reached.fetch({
        method,
        headers: { Origin: "http://evil.example" },
        ...(method === "POST" && { body: "no JSON" }),
      });
      expect(response.status).toBe(403);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(await response.json()).toEqual({
        jsonrpc: "2.0",
        error: { code: -32600, message: expect.any(String) },
      });
    },
  );

  it("omit the id if the named revision requires it", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const refused = await client.post("[", { "MCP-Protocol-Version": "2025-11-25" });
    expect(await refused.json()).not.toHaveProperty("id");
  });
});

describe("the guard of a server on a socket", () => {
  it("answers a foreign Host with 403, and accepts its own (H02)", async () => {
    const { reached } = await serve(new ToyServer().server);
    const ask = (host: string) =>
      rawRequest(reached.url, {
        headers: { Host: host, "Content-Type": "application/json", Accept: ACCEPT },
        body: JSON.stringify(initialize("2025-11-25")),
      });
    expect((await ask("evil.example:80")).status).toBe(403);
    expect((await ask("localhost:1")).status).toBe(200);
  });
});

describe.each(WAYS)("CORS over $way (H23)", ({ reach }) => {
  const origin = "http://localhost:5173";
  const preflight = { Origin: origin, "Access-Control-Request-Method": "POST" };

  it("allows the permitted requests and headers to an allowed page", async () => {
    const { reached } = await serve(new ToyServer().server, {}, reach);
    const response = await reached.fetch({ method: "OPTIONS", headers: preflight });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("access-control-allow-methods")).toBe("GET, POST, DELETE, OPTIONS");
    const fields = response.headers.get("access-control-allow-headers")!.split(", ");
    for (const field of [
      "Mcp-Session-Id",
      "MCP-Protocol-Version",
      "Last-Event-ID",
      "Authorization",
    ])
      expect(fields).toContain(field);
  });

  it("allows the headers that an option names", async () => {
    const options = { allowedHeaders: ["X-API-Key"] };
    const { reached } = await serve(new ToyServer().server, options, reach);
    const response = await reached.fetch({ method: "OPTIONS", headers: preflight });
    expect(response.headers.get("access-control-allow-headers")).toMatch(/, X-API-Key$/);
  });

  it("lets an allowed page read every response, and the session id", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const opened = await client.post(initialize("2025-06-18"), { Origin: origin });
    expect(opened.headers.get("access-control-allow-origin")).toBe(origin);
    expect(opened.headers.get("access-control-expose-headers")).toContain("Mcp-Session-Id");
    expect(opened.headers.get("vary")).toBe("Origin");
    const refused = await client.post("{", { Origin: origin });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([
      400,
      origin,
    ]);
    await client.reached.handler.close(0);
    const late = await client.post(initialize("2025-06-18"), { Origin: origin });
    expect([late.status, late.headers.get("access-control-allow-origin")]).toEqual([503, origin]);
    expect(late.headers.get("cache-control")).toBe("no-store");
  });

  it("sends no CORS headers to other pages", async () => {
    const { reached } = await serve(new ToyServer().server, {}, reach);
    const headers = { ...preflight, Origin: "https://evil.example" };
    const foreign = await reached.fetch({ method: "OPTIONS", headers });
    expect(foreign.status).toBe(403);
    const plain = await reached.fetch({ method: "OPTIONS" });
    expect(plain.status).toBe(204);
    expect(plain.headers.get("allow")).toBe("GET, POST, DELETE, OPTIONS");
    for (const { headers: got } of [foreign, plain])
      expect(got.get("access-control-allow-origin")).toBeNull();
  });
});
