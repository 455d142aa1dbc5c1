import { device, memoryStore, type OAuthOptions, redirect } from "@mcp-codegen/auth/client";
import { describe, expect, it, vi } from "vitest";
import { AuthorizationServer, refusal } from "./support/authorization-server.js";
import { failure } from "./support/failure.js";
import { MCP, REDIRECT, World } from "./support/world.js";

const registered = async (redirectUri: string): Promise<unknown> => {
  const world = new World();
  const authorize = redirect({ redirectUri, visit: (url) => world.server.visit(url) });
  await (await world.connect({ authorize, clientMetadata: { client_name: "Notes" } })).close();
  return JSON.parse(world.server.at("/register")[0]!.body);
};

const leave = () => Promise.reject(new Error("The user has left"));

const refuseRedirect = () => refusal("invalid_redirect_uri", "localhost is not allowed here");

describe("registration", () => {
  it("uses a given client, then a metadata document, then registers (AUTH-25, AUTH-26, AUTH-29, AUTH-31)", async () => {
    const clientMetadataUrl = "https://app.example/client.json";
    const metadata = { client_id_metadata_document_supported: true };
    const ids = [];
    for (const options of [
      { client: { id: "given" }, clientMetadataUrl },
      { clientMetadataUrl },
      {},
    ]) {
      const server = new AuthorizationServer({ metadata });
      await (await new World({ server }).connect(options)).close();
      ids.push(server.visits[0]!.searchParams.get("client_id"));
    }
    expect(ids).toEqual(["given", clientMetadataUrl, "client-secret-1"]);

    const server = new AuthorizationServer({ metadata: { registration_endpoint: undefined } });
    const { stage, message } = await failure(new World({ server }).connect());
    expect([stage, message]).toEqual(["registration", expect.stringContaining(`"client"`)]);
  });

  it("accepts only https: URLs with a path as ids (AUTH-27)", async () => {
    for (const url of ["http://app.example/client.json", "https://app.example/", "nothing"]) {
      const server = new AuthorizationServer({
        metadata: { client_id_metadata_document_supported: true },
      });
      const { stage } = await failure(new World({ server }).connect({ clientMetadataUrl: url }));
      expect([stage, server.visits]).toEqual(["registration", []]);
    }
  });

  it("contains the application type and the grants that the client uses (AUTH-30, AUTH-47)", async () => {
    expect(await registered(REDIRECT)).toMatchObject({
      application_type: "native",
      client_name: "Notes",
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    });
    expect(await registered("https://app.example/callback")).toMatchObject({
      application_type: "web",
    });
    expect(await registered("com.example.app:/callback")).toMatchObject({
      application_type: "native",
    });
  });

  it("has no redirect URIs if the user types a code elsewhere", async () => {
    const world = new World();
    await (await world.connect({ authorize: device({ show: () => {} }) })).close();
    const body = JSON.parse(world.server.at("/register")[0]!.body) as Record<string, unknown>;
    expect(body).toMatchObject({ response_types: [], application_type: "native" });
    expect(body["grant_types"]).not.toContain("authorization_code");
    expect(body).not.toHaveProperty("redirect_uris");
  });

  it("is repeated for other grants or another redirect URI, and earlier tokens stay valid", async () => {
    const world = new World({ server: new AuthorizationServer({ expiresIn: 1 }) });
    const store = memoryStore();
    await world.oauth({ store }).login(MCP);
    const redirectUri = "http://127.0.0.1:3001/callback";
    const elsewhere = redirect({ redirectUri, visit: leave });
    await failure(world.oauth({ store, authorize: elsewhere }).login(MCP));
    await failure(world.oauth({ store, authorize: device({ show: leave }) }).login(MCP));
    expect(world.server.at("/register")).toHaveLength(3);
    await (await world.connect({ store })).close();
    expect(world.server.visits).toHaveLength(1);
    const [first, ...refreshed] = world.server.at("/token").map(({ form }) => form);
    expect(refreshed.length).toBeGreaterThan(0);
    expect(new Set(refreshed.map((form) => form.get("client_id")))).toEqual(
      new Set([first!.get("client_id")]),
    );
    expect(await world.oauth({ store }).logout(MCP)).toBe("revoked");
  });

  it("reports why it failed, without secrets (AUTH-30)", async () => {
    const server = new AuthorizationServer({ register: refuseRedirect });
    const { stage, error, message } = await failure(new World({ server }).connect());
    expect([stage, error]).toEqual(["registration", "invalid_redirect_uri"]);
    expect(message).toContain("localhost is not allowed here");
  });

  it("determines the authentication at the token endpoint (AUTH-32)", async () => {
    for (const [method, expected] of [
      ["client_secret_basic", [true, null]],
      ["client_secret_post", [false, "sh-h"]],
      ["none", [false, null]],
    ] as const) {
      const register = () =>
        Response.json(
          { client_id: "c-1", client_secret: "sh-h", token_endpoint_auth_method: method },
          { status: 201 },
        );
      const server = new AuthorizationServer({ register });
      await (await new World({ server }).connect()).close();
      const [seen] = server.at("/token");
      expect([
        seen!.headers.get("authorization") === `Basic ${btoa("c-1:sh-h")}`,
        seen!.form.get("client_secret"),
      ]).toEqual(expected);
    }
  });

  it("separates the credentials of each issuer from those of others (AUTH-22, AUTH-45)", async () => {
    const world = new World();
    const client = await world.connect({ client: { id: "given", secret: "only-for-one" } });
    const other = new AuthorizationServer({ issuer: "https://second.example" });
    world.move(other);
    await expect(client.callTool("read")).rejects.toMatchObject({ stage: "registration" });
    await client.close();
    expect(other.seen.filter(({ method }) => method === "POST")).toEqual([]);

    const free = new World();
    const mover = await free.connect();
    const first = free.server;
    const next = new AuthorizationServer({ issuer: "https://second.example" });
    free.move(next);
    expect((await mover.callTool("read")).isError).toBeFalsy();
    await mover.close();
    expect(next.at("/register")).toHaveLength(1);
    expect(JSON.stringify(next.seen.map(({ body }) => body))).not.toContain("refresh-secret");
    expect(first.at("/token")).toHaveLength(1);
  });
});

// This test must be the last one: the modules that it resets differ from those of the earlier tests.
it("registration is reported as deprecated, once per process; a given client or document is not (DEP-04)", async () => {
  vi.resetModules();
  const { oauth } = await import("@mcp-codegen/auth/client");
  const warnings: Error[] = [];
  const onwarning = (warning: Error): void => void warnings.push(warning);
  const connect = async (given: Partial<OAuthOptions>): Promise<void> => {
    const metadata = { client_id_metadata_document_supported: true };
    const world = new World({ server: new AuthorizationServer({ metadata }) });
    await (await world.connect(oauth(world.options({ onwarning, ...given })))).close();
  };
  await connect({ client: { id: "app" } });
  await connect({ clientMetadataUrl: "https://app.example/client.json" });
  expect(warnings).toEqual([]);
  await connect({});
  await connect({});
  expect(warnings).toMatchObject([
    { name: "DeprecationWarning", message: expect.stringContaining("clientMetadataUrl") },
  ]);
});
