import { describe, expect, it } from "vitest";
import { AuthorizationServer, refusal, type Seen } from "./support/authorization-server.js";
import { failure } from "./support/failure.js";
import { MCP, World } from "./support/world.js";

const refuseResource = ({ form }: Seen): Response | undefined =>
  form.has("resource") ? refusal("invalid_target", "AADSTS901002: resource") : undefined;

describe("unusual authorization servers:", () => {
  it("Entra refuses `resource` and does not list S256", async () => {
    const metadata = { code_challenge_methods_supported: undefined };
    const server = new AuthorizationServer({ token: refuseResource, metadata });
    const { message } = await failure(
      new World({ server }).connect({ interop: { pkce: "assumed" } }),
    );
    expect(message).toContain("AADSTS901002");
    const interop = { pkce: "assumed", resource: "omit" } as const;
    await (await new World({ server }).connect({ interop })).close();
  });

  it("Auth0 and Hydra require an audience, in both requests", async () => {
    const world = new World();
    const interop = { parameters: { audience: "https://api.example" } };
    await (await world.connect({ interop })).close();
    const [visit] = world.server.visits;
    expect(visit!.searchParams.get("audience")).toBe("https://api.example");
    expect(world.server.at("/token")[0]!.form.get("audience")).toBe("https://api.example");
  });

  it("Keycloak ignores `resource`: an audience comes with a scope", async () => {
    const world = new World();
    await (await world.connect({ scopes: ["mcp-audience"] })).close();
    expect(world.server.visits[0]!.searchParams.get("scope")).toBe("mcp-audience");
  });

  it("WorkOS and Okta have another issuer in their metadata than the MCP server names", async () => {
    const metadataIssuer = "https://as.example/";
    const server = new AuthorizationServer({
      metadata: {
        issuer: metadataIssuer,
        authorization_response_iss_parameter_supported: undefined,
      },
      respond: (right) => {
        right.delete("iss");
        return right;
      },
    });
    expect((await failure(new World({ server }).connect())).stage).toBe("discovery");
    await (await new World({ server }).connect({ interop: { metadataIssuer } })).close();
  });

  it("GitHub has no metadata, no registration, and no `iss`", async () => {
    const server = new AuthorizationServer({
      places: [],
      respond: (right) => {
        right.delete("iss");
        return right;
      },
    });
    const metadata = {
      issuer: "https://as.example",
      authorization_endpoint: "https://as.example/authorize",
      token_endpoint: "https://as.example/token",
    };
    const client = {
      id: "app",
      secret: "gh-secret",
      authentication: "client_secret_post",
    } as const;
    await (
      await new World({ server }).connect({ client, interop: { metadata, pkce: "assumed" } })
    ).close();
    expect(server.at("/token")[0]!.form.get("resource")).toBe(MCP);
  });
});
