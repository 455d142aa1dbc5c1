import { memoryStore, OAuthError, RedirectPendingError, redirect } from "@mcp-codegen/auth/client";
import { describe, expect, it } from "vitest";
import { AuthorizationServer } from "./support/authorization-server.js";
import { failure } from "./support/failure.js";
import { MCP, World } from "./support/world.js";

describe("the authorization request", () => {
  it("has PKCE with S256, state and resource, and so does the token request (AUTH-34, AUTH-35, AUTH-37)", async () => {
    const world = new World();
    await (await world.connect()).close();
    const given = world.server.visits[0]!.searchParams;
    expect(given.get("code_challenge_method")).toBe("S256");
    expect(given.get("state")!.length).toBeGreaterThan(20);
    expect(given.get("resource")).toBe(MCP);
    const [token] = world.server.at("/token");
    expect(token!.form.get("resource")).toBe(MCP);
  });

  it("is not sent if the server does not list S256 (AUTH-34)", async () => {
    for (const methods of [undefined, ["plain"], "S256"]) {
      const server = new AuthorizationServer({
        metadata: { code_challenge_methods_supported: methods },
      });
      const { stage, message } = await failure(new World({ server }).connect());
      expect([stage, server.visits]).toEqual(["authorization", []]);
      expect(message).toContain("S256");
    }
  });

  it("names the server in its canonical form (AUTH-36)", async () => {
    const resources: unknown[] = [];
    for (const mcp of [
      "https://MCP.example",
      "https://mcp.example/a/b?c=1#d",
      "https://mcp.example:443/x/",
    ]) {
      const server = new AuthorizationServer({ issuer: new URL(mcp).origin });
      const world = new World({
        mcp: new URL(mcp).href.replace(/#.*/, ""),
        resource: undefined,
        server,
        challenge: "",
      });
      await (await world.connect()).close();
      resources.push(server.visits[0]!.searchParams.get("resource"));
    }
    expect(resources).toEqual([
      "https://mcp.example",
      "https://mcp.example/a/b?c=1",
      "https://mcp.example/x/",
    ]);
  });

  it("fails with an authorization error if the host's callback throws", async () => {
    const world = new World();
    const stranger = redirect({
      redirectUri: "http://127.0.0.1:3000/callback",
      visit: () => Promise.reject(new Error("no browser")),
    });
    const broken = { ...memoryStore(), get: () => Promise.reject(new Error("disk full")) };
    const { stage, message } = await failure(world.connect({ authorize: stranger }));
    expect([stage, message]).toEqual(["authorization", "The authorization has failed: no browser"]);
    expect((await failure(world.connect({ store: broken }))).message).toContain("disk full");
  });

  it("redirects only to https: or to the local machine (AUTH-38)", () => {
    for (const redirectUri of [
      "http://app.example/callback",
      "javascript:x",
      "app:/callback",
      "nothing",
    ]) {
      expect(() => redirect({ redirectUri, visit: () => undefined })).toThrow(OAuthError);
    }
  });

  it("requests the scopes of the challenge, else those of the resource, else none (AUTH-39, SEC-12)", async () => {
    const scopes_supported = ["a", "b"];
    const resource = { resource: MCP, authorization_servers: ["https://as.example"] };
    const requested: unknown[] = [];
    for (const settings of [
      { challenge: `Bearer scope="x y"`, resource: { ...resource, scopes_supported } },
      { resource: { ...resource, scopes_supported } },
      {},
    ]) {
      const world = new World(settings);
      await (await world.connect()).close();
      requested.push(world.server.visits[0]!.searchParams.get("scope"));
    }
    expect(requested).toEqual(["x y", "a b", null]);
  });

  it("requests offline_access only if the server lists it (AUTH-48)", async () => {
    const requested: unknown[] = [];
    for (const scopes_supported of [["a", "offline_access"], ["a"], undefined]) {
      const server = new AuthorizationServer({ metadata: { scopes_supported } });
      const world = new World({ server, challenge: `Bearer scope="a"` });
      await (await world.connect()).close();
      requested.push(server.visits[0]!.searchParams.get("scope"));
    }
    expect(requested).toEqual(["a offline_access", "a", "a"]);
  });
});

describe("the authorization response", () => {
  it("must have the state that was sent (AUTH-37)", async () => {
    for (const change of [{ state: "other" }, { state: undefined }]) {
      const { stage } = await failure(respondingWith(change).connect());
      expect(stage).toBe("authorization");
    }
  });

  it.each([
    [true, "https://as.example", true],
    [true, undefined, false],
    [true, "", false],
    [true, "https://as.example/", false],
    [true, "https://AS.example", false],
    [undefined, "https://as.example", true],
    [undefined, "https://evil.example", false],
    [undefined, "", false],
    [undefined, undefined, true],
  ])(
    "with iss advertised %s and sent %s receives a token: %s (AUTH-40, AUTH-41, AUTH-42)",
    async (isSent, iss, isGood) => {
      const metadata = { authorization_response_iss_parameter_supported: isSent };
      const world = respondingWith({ iss }, metadata);
      const outcome = world.connect().then(
        (client) => client.close().then(() => true),
        () => false,
      );
      expect(await outcome).toBe(isGood);
      expect(world.server.at("/token").length > 0).toBe(isGood);
    },
  );

  it("is ignored if it comes from another issuer, even if it is an error (AUTH-43, SEC-13)", async () => {
    const evil = {
      iss: "https://evil.example",
      code: undefined,
      error: "access_denied",
      error_description: "Call 555",
    };
    const { message, error } = await failure(respondingWith(evil).connect());
    expect(message).not.toMatch(/555|denied/);
    expect(error).toBeUndefined();
  });

  it("may be a refusal, which the error reports; the user is not asked again", async () => {
    const denied = {
      code: undefined,
      error: "access_denied",
      error_description: "Not\u0007 today",
    };
    const world = respondingWith(denied);
    const { message, error, stage } = await failure(world.connect());
    expect(world.server.visits).toHaveLength(1);
    expect([stage, error]).toEqual(["authorization", "access_denied"]);
    expect(message).toBe(
      'The user or the authorization server refused: "access_denied Not today"; log in again',
    );
  });
});

describe("redirect", () => {
  it("continues in another process with the same store (AUTH-40)", async () => {
    const store = memoryStore();
    const world = new World();
    let sent: URL | undefined;
    const authorize = redirect({
      redirectUri: "https://app.example/callback",
      visit: (url) => void (sent = url),
    });
    const error = await failure(world.connect({ store, authorize }));
    expect(error).toBeInstanceOf(RedirectPendingError);
    const back = world.server.visit(sent!);
    const other = world.oauth({ store, authorize });
    expect((await other.finish(back)).href).toBe(MCP);
    await expect(other.finish(back)).rejects.toMatchObject({ stage: "authorization" });
    await (await world.connect(other)).close();
    expect(world.server.visits).toHaveLength(1);
  });

  it("sends a code once, even if the same response arrives twice at the same time", async () => {
    const world = new World();
    let sent: URL | undefined;
    const auth = world.oauth({
      authorize: redirect({
        redirectUri: "https://app.example/callback",
        visit: (url) => void (sent = url),
      }),
    });
    await failure(world.connect(auth));
    const back = world.server.visit(sent!);
    const results = await Promise.allSettled([auth.finish(back), auth.finish(back)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(world.server.at("/token")).toHaveLength(1);
  });
});

/** Creates a world whose authorization responses are changed. */
function respondingWith(
  change: Readonly<Record<string, string | undefined>>,
  metadata = {},
): World {
  const respond = (right: URLSearchParams): URLSearchParams => {
    const changed = { ...Object.fromEntries(right), ...change };
    return new URLSearchParams(
      Object.entries(changed).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
  };
  return new World({ server: new AuthorizationServer({ respond, metadata }) });
}
