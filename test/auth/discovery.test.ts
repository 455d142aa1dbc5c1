import { revisions } from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";
import { AuthorizationServer } from "./support/authorization-server.js";
import { failure } from "./support/failure.js";
import { MCP, World } from "./support/world.js";

const endless = () =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });

describe("discovery", () => {
  it("reads the resource metadata from the URL in the challenge, then at the path, then at the root (AUTH-17)", async () => {
    const place = "https://mcp.example/custom.json";
    const named = new World({ place });
    await (await named.connect()).close();
    expect(named.seen.map(({ url }) => url.href)).toEqual([place]);

    const root = new World({
      place: "https://mcp.example/.well-known/oauth-protected-resource",
      challenge: "",
    });
    await (await root.connect()).close();
    expect(root.seen.map(({ url }) => url.pathname)).toEqual([
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource",
    ]);
  });

  it("stops if the resource metadata is that of another resource (AUTH-18)", async () => {
    for (const resource of [
      "https://evil.example/mcp",
      "https://mcp.example/mc",
      "https://mcp.example/mcp/more",
      "nothing",
    ]) {
      const world = new World({
        resource: { resource, authorization_servers: ["https://as.example"] },
      });
      const { stage, message } = await failure(world.connect());
      expect([stage, message]).toEqual(["discovery", expect.stringContaining(resource)]);
      expect(world.server.seen).toEqual([]);
    }
  });

  it("finds the metadata of the authorization server in three forms (AUTH-19, AUTH-20)", async () => {
    const issuer = "https://as.example/t";
    const places = [
      "https://as.example/.well-known/oauth-authorization-server/t",
      "https://as.example/.well-known/openid-configuration/t",
      "https://as.example/t/.well-known/openid-configuration",
    ];
    for (const [index, place] of places.entries()) {
      const server = new AuthorizationServer({ issuer, places: [place] });
      await (await new World({ server }).connect()).close();
      const tried = server.seen.filter(({ method }) => method === "GET").map(({ url }) => url.href);
      expect(tried).toEqual(places.slice(0, index + 1));
    }
  });

  it("accepts no metadata whose issuer differs by a byte (AUTH-21, AUTH-42)", async () => {
    for (const issuer of [
      "https://as.example/",
      "https://AS.example",
      "https://as.example:443",
      "https://evil.example",
    ]) {
      const server = new AuthorizationServer({ metadata: { issuer } });
      const { stage, message } = await failure(new World({ server }).connect());
      expect([stage, message]).toEqual(["discovery", expect.stringContaining(`"${issuer}"`)]);
      expect(server.seen.every(({ method }) => method === "GET")).toBe(true);
    }
  });

  it("treats a server without resource metadata as one of 2025-03-26 (AUTH-15, AUTH-23)", async () => {
    const server = new AuthorizationServer({ issuer: "https://mcp.example" });
    const world = new World({ server, resource: undefined, challenge: "" });
    await (
      await world.connect({}, { revisions: revisions.filter(({ id }) => id === "2025-03-26") })
    ).close();
    expect(server.visits[0]!.pathname).toBe("/authorize");

    const silent = new AuthorizationServer({
      issuer: "https://mcp.example",
      places: [],
      metadata: { issuer: "" },
    });
    await (
      await new World({ server: silent, resource: undefined, challenge: "" }).connect()
    ).close();
    expect(silent.at("/register")).toHaveLength(1);
  });

  it("continues with the authorization server that it has chosen among several (AUTH-24)", async () => {
    const resource = {
      resource: MCP,
      authorization_servers: ["https://other.example", "https://as.example"],
    };
    const world = new World({ resource });
    await (await world.connect({ issuer: "https://as.example" })).close();
    expect(world.server.visits).toHaveLength(1);
    const { stage } = await failure(world.connect({ issuer: "https://none.example" }));
    expect(stage).toBe("discovery");
  });

  it("does not follow a public server into a private network, or to an unusual protocol (SEC-08, SEC-09)", async () => {
    const hosts = [
      "https://10.0.0.1",
      "https://169.254.169.254",
      "https://[::1]",
      "https://[::ffff:10.0.0.1]",
      "https://0x7f.1",
      "https://[2002:a00:1::1]",
      "https://[::10.0.0.1]",
      "https://[::ffff:0:10.0.0.1]",
      "https://[64:ff9b:1::10.0.0.1]",
      "https://[2001:0:a00:1::1]",
      "https://[fec0::1]",
      "https://198.51.100.7",
      "http://localhost:1",
      "https://intranet",
      "http://as.example",
      "file:///etc/passwd",
      "javascript:alert(1)",
    ];
    for (const host of hosts) {
      const world = new World({ resource: { resource: MCP, authorization_servers: [host] } });
      const { stage } = await failure(world.connect());
      expect(stage).toBe("discovery");
      expect(world.seen.filter(({ url }) => url.host !== "mcp.example")).toEqual([]);
    }
    for (const endpoint of [
      "javascript:alert(1)",
      "http://as.example/authorize",
      "https://192.168.0.1/",
      "data:text/html,x",
    ]) {
      const server = new AuthorizationServer({ metadata: { authorization_endpoint: endpoint } });
      const { stage } = await failure(new World({ server }).connect());
      expect([stage, server.visits]).toEqual(["authorization", []]);
    }
    for (const name of ["token_endpoint", "registration_endpoint"]) {
      const server = new AuthorizationServer({ metadata: { [name]: "https://127.0.0.1/x" } });
      expect((await failure(new World({ server }).connect())).message).toContain("127.0.0.1");
    }
  });

  it("accepts public addresses of both families", async () => {
    for (const host of ["https://[2606:4700::1111]", "https://8.8.8.8"]) {
      const server = new AuthorizationServer({ issuer: host });
      const world = new World({
        server,
        resource: { resource: MCP, authorization_servers: [host] },
      });
      await (await world.connect()).close();
      expect(server.visits).toHaveLength(1);
    }
  });

  it("accepts a resource that is a parent only from the parent's own metadata (AUTH-19)", async () => {
    const parent = {
      resource: "https://mcp.example/",
      authorization_servers: ["https://as.example"],
    };
    const confirmed = new World({
      resource: parent,
      place: "https://mcp.example/.well-known/oauth-protected-resource",
    });
    await (await confirmed.connect()).close();
    const tenant = new World({
      resource: parent,
      place: "https://mcp.example/.well-known/oauth-protected-resource/mcp",
    });
    expect((await failure(tenant.connect())).stage).toBe("discovery");
    expect(tenant.server.visits).toEqual([]);
  });

  it("sends nothing to a server without TLS unless an option allows it", async () => {
    const mcp = "http://mcp.example/mcp";
    const resource = { resource: mcp, authorization_servers: ["https://as.example"] };
    const plain = new World({ mcp, resource });
    expect((await failure(plain.connect())).message).toContain("does not use TLS");
    expect(plain.server.seen).toEqual([]);
    await (await new World({ mcp, resource }).connect({ allowHttp: true })).close();
  });

  it("follows no redirect of metadata into a private network (SEC-08)", async () => {
    const world = new World();
    const fetch: typeof world.fetch = async (url, init) =>
      String(url).includes("oauth-protected")
        ? new Response(null, {
            status: 302,
            headers: { location: "https://169.254.169.254/latest" },
          })
        : world.fetch(url, init);
    expect((await failure(world.connect({ fetch }))).message).toContain("169.254.169.254");
  });

  it("limits the length of a document", async () => {
    const world = new World();
    const fetch: typeof world.fetch = async (url, init) =>
      String(url).includes("oauth-protected") ? new Response(endless()) : world.fetch(url, init);
    expect((await failure(world.connect({ fetch }))).message).toContain(
      "longer than 1048576 bytes",
    );
  });
});
