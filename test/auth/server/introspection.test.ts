import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { introspection, InvalidTokenError, jwt, type TokenClaims } from "@mcp-codegen/auth/server";
import { AuthorizationServer, RESOURCE } from "./authorization-server.js";
import { passTime, startGuarded } from "./guarded-server.js";

describe("introspection", () => {
  const options = { client: { id: "mcp", secret: "s3cret" } };

  it("accepts a token only if it is active and for this server", async () => {
    const server = await AuthorizationServer.start();
    server.introspected.set("good", {
      active: true,
      sub: "ada",
      aud: [RESOURCE],
      scope: "notes:read",
    });
    server.introspected.set("elsewhere", {
      active: true,
      sub: "ada",
      aud: "https://other.example",
    });
    server.introspected.set("for-all", { active: true, sub: "ada" });
    const { callWith } = await startGuarded({ server, verify: [jwt(), introspection(options)] });
    expect((await callWith("Bearer good")).status).toBe(200);
    for (const token of ["revoked", "elsewhere", "for-all"]) {
      expect((await callWith(`Bearer ${token}`)).status).toBe(401);
    }
    expect((await callWith(`Bearer ${await server.token()}`)).status).toBe(200);
  });

  it("sends a request each time, or none during the configured time", async () => {
    const server = await AuthorizationServer.start();
    server.introspected.set("good", { active: true, sub: "ada", aud: RESOURCE });
    const requests = () => server.requests.filter((path) => path === "/introspect").length;
    const always = await startGuarded({ server, verify: introspection(options) });
    await always.callWith("Bearer good");
    await always.callWith("Bearer good");
    expect(requests()).toBe(2);
    const seldom = await startGuarded({
      server,
      verify: introspection({ ...options, cacheFor: 60_000 }),
    });
    await seldom.callWith("Bearer good");
    await seldom.callWith("Bearer good");
    expect(requests()).toBe(3);
  });

  it("shares a request among calls with the same token, and caches a rejected token for some seconds", async () => {
    const server = await AuthorizationServer.start();
    server.introspected.set("good", { active: true, sub: "ada", aud: RESOURCE });
    const requests = () => server.requests.filter((path) => path === "/introspect").length;
    const { callWith } = await startGuarded({ server, verify: introspection(options) });
    const statuses = await Promise.all(Array.from({ length: 20 }, () => callWith("Bearer good")));
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(requests()).toBeLessThan(10);
    const before = requests();
    for (let i = 0; i < 10; i++) expect((await callWith("Bearer revoked")).status).toBe(401);
    expect(requests()).toBe(before + 1);
    passTime(6000);
    expect((await callWith("Bearer revoked")).status).toBe(401);
    expect(requests()).toBe(before + 2);
  });

  it("sends no request for some seconds while the authorization server is down", async () => {
    const server = await AuthorizationServer.start();
    const { callWith } = await startGuarded({ server, verify: introspection(options) });
    expect((await callWith("Bearer first")).status).toBe(401);
    server.isDown = true;
    const before = server.requests.length;
    for (let index = 0; index < 20; index++)
      expect((await callWith(`Bearer invented-${index}`)).status).toBe(503);
    expect(server.requests.length).toBe(before + 1);
    server.isDown = false;
    passTime(6000);
    expect((await callWith("Bearer another")).status).toBe(401);
  });

  it("sends at most 100 requests at once", async () => {
    const server = await AuthorizationServer.start();
    const verify = introspection(options);
    let running = 0;
    let most = 0;
    const real = globalThis.fetch;
    const slow = vi.spyOn(globalThis, "fetch").mockImplementation(async (...request) => {
      // Tests of other files in this worker may still be fetching.
      if (!String(request[0]).startsWith(server.issuer)) return real(...request);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return real(...request).finally(() => (running -= 1));
    });
    onTestFinished(() => slow.mockRestore());
    const { callWith } = await startGuarded({ server, verify });
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => callWith(`Bearer invented-${index}`)),
    );
    expect(most).toBeLessThanOrEqual(100);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
  });

  it.each([
    ["an expiry that is a string", { exp: "1600000000" }],
    ["an expiry that is null", { exp: null }],
    ["a start that is a string", { nbf: "1" }],
    ["a subject that is a number", { sub: 5 }],
    ["a subject that is an object", { sub: {} }],
    ["a client that is a list", { sub: undefined, client_id: ["a"] }],
  ])("rejects a token with %s", async (_, claims) => {
    const { callWith } = await startGuarded({
      verify: () => ({ sub: "ada", aud: RESOURCE, ...claims }) as unknown as TokenClaims,
    });
    expect((await callWith("Bearer odd")).status).toBe(401);
  });
});

describe("the metadata of an authorization server", () => {
  it("are found after a page that is sent for every other path", async () => {
    const place = "/realms/one/.well-known/openid-configuration";
    const paths: string[] = [];
    const listener = createServer((request, response) => {
      paths.push(request.url!);
      if (request.url === place) {
        const metadata = { issuer, introspection_endpoint: `${issuer}/introspect` };
        response.setHeader("content-type", "application/json").end(JSON.stringify(metadata));
      } else if (request.url === "/realms/one/introspect") {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ active: true, sub: "ada", aud: RESOURCE }));
      } else response.setHeader("content-type", "text/html").end("<!doctype html>");
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void listener.close());
    const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/realms/one`;
    const verify = introspection({ client: { id: "mcp", secret: "s3cret" } });
    const { callWith } = await startGuarded({ authorizationServers: [issuer], verify });
    expect((await callWith("Bearer good")).status).toBe(200);
    expect(paths).toContain(place);
  });

  it("are limited in length", async () => {
    let sent = 0;
    const listener = createServer(async (_, response) => {
      const chunk = `"${"x".repeat(64 * 1024)}"`;
      while (!response.destroyed && sent < 64 * 1024 * 1024) {
        sent += chunk.length;
        if (!response.write(chunk))
          await Promise.race([once(response, "drain"), once(response, "close")]);
      }
      response.end();
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void listener.close());
    const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const verify = introspection({ client: { id: "mcp", secret: "s3cret" } });
    const { callWith, errors } = await startGuarded({ authorizationServers: [issuer], verify });
    expect((await callWith("Bearer good")).status).toBe(503);
    expect(errors.map(String).join()).toContain("more than");
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });
});

describe("a verify function for tokens", () => {
  it("is subject to the same checks", async () => {
    const { callWith, errors } = await startGuarded({
      verify: (token) => {
        if (token === "unknown") throw new InvalidTokenError("No such token");
        if (token === "broken") throw new Error("database: password is hunter2");
        return { sub: token, aud: token === "ada" ? RESOURCE : "https://other.example" };
      },
    });
    expect((await callWith("Bearer ada")).status).toBe(200);
    expect((await callWith("Bearer eve")).status).toBe(401);
    expect((await callWith("Bearer unknown")).challenge).toContain("No such token");
    const { status, text } = await callWith("Bearer broken");
    expect([status, text.includes("hunter2")]).toEqual([503, false]);
    expect(errors).toHaveLength(1);
  });
});
