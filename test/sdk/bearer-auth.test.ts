import * as theirs from "@modelcontextprotocol/server";
import { requireBearerAuth, mcpAuthMetadataRouter } from "@mcp-codegen/sdk/express";
import * as ours from "@mcp-codegen/sdk/server";
import { InvalidTokenError, OAUTH_ERRORS } from "@mcp-codegen/sdk/server/auth/errors.js";
import * as errors from "@modelcontextprotocol/sdk/server/auth/errors.js";
import express from "express";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const soon = () => Math.floor(Date.now() / 1000) + 600;
const TOKENS: Record<string, ours.AuthInfo> = {
  good: { token: "good", clientId: "app", scopes: ["mcp", "notes"], expiresAt: soon() },
  narrow: { token: "narrow", clientId: "app", scopes: [], expiresAt: soon() },
  old: { token: "old", clientId: "app", scopes: ["mcp"], expiresAt: 1 },
  endless: { token: "endless", clientId: "app", scopes: ["mcp"] },
};

/** @param OAuthError - the class from the side that is tested */
function verifierFor(OAuthError: typeof ours.OAuthError | typeof theirs.OAuthError) {
  return {
    verifyAccessToken: async (token: string) => {
      const info = TOKENS[token];
      if (info) return info;
      if (token === "broken") throw new Error("database is down");
      if (token === "busy") throw new OAuthError("temporarily_unavailable", "later");
      throw new OAuthError("invalid_token", 'no "such" token\n');
    },
  };
}

const HEADERS = [
  undefined,
  "",
  "Basic abc",
  "Bearer",
  "Bearer ",
  "Bearer good",
  "bearer good",
  "Bearer narrow",
  "Bearer old",
  "Bearer endless",
  "Bearer unknown",
  "Bearer broken",
  "Bearer busy",
];
const challenge = {
  requiredScopes: ["mcp"],
  resourceMetadataUrl: "https://mcp.example.com/.well-known/oauth-protected-resource/mcp",
};

async function shown(result: Response | object) {
  if (!(result instanceof Response)) return result;
  const { status, headers } = result;
  return { status, challenge: headers.get("www-authenticate"), body: await result.json() };
}

describe("requireBearerAuth", () => {
  it.each(HEADERS)("answers %j in the same way as the official SDK", async (authorization) => {
    const request = () =>
      new Request("https://mcp.example.com/mcp", {
        headers: authorization === undefined ? {} : { authorization },
      });
    const own = ours.requireBearerAuth({
      verifier: verifierFor(ours.OAuthError),
      ...challenge,
    });
    const other = theirs.requireBearerAuth({
      verifier: verifierFor(theirs.OAuthError) as theirs.OAuthTokenVerifier,
      ...challenge,
    });
    expect(await shown(await own(request()))).toEqual(await shown(await other(request())));
  });

  it("refuses tokens for another resource, if an option says so", async () => {
    const verifier = { verifyAccessToken: async () => ({ ...TOKENS["good"]! }) };
    const expectedResource = new URL("https://mcp.example.com/mcp");
    await expect(
      ours.verifyBearerToken("Bearer good", { verifier, expectedResource }),
    ).rejects.toMatchObject({ code: "invalid_token" });
    const resource = new URL("https://mcp.example.com/mcp/");
    const own = { verifyAccessToken: async () => ({ ...TOKENS["good"]!, resource }) };
    const info = await ours.verifyBearerToken("Bearer good", { verifier: own, expectedResource });
    expect(info.clientId).toBe("app");
  });

  it("refuses two tokens at once", async () => {
    const options = { verifier: verifierFor(ours.OAuthError) };
    await expect(ours.verifyBearerToken("Bearer good, Bearer x", options)).rejects.toThrow(
      "Invalid Authorization header",
    );
  });

  it("fails at the start without a verifier", () => {
    expect(() => ours.requireBearerAuth({} as never)).toThrow(TypeError);
    expect(() => requireBearerAuth({} as never)).toThrow(TypeError);
  });
});

const metadata: ours.AuthMetadataOptions = {
  oauthMetadata: {
    issuer: "https://login.example.com",
    authorization_endpoint: "https://login.example.com/authorize",
    token_endpoint: "https://login.example.com/token",
    response_types_supported: ["code"],
  },
  resourceServerUrl: new URL("https://mcp.example.com/mcp/"),
  scopesSupported: ["mcp"],
  resourceName: "Notes",
};

async function parts(response: Response | undefined) {
  return (
    response && {
      status: response.status,
      headers: [...response.headers].filter(([name]) => name !== "content-length"),
      body: (await response.text()) || undefined,
    }
  );
}

describe("metadata", () => {
  it.each([
    ["GET", "/.well-known/oauth-protected-resource/mcp"],
    ["GET", "/.well-known/oauth-protected-resource/mcp/"],
    ["GET", "/.well-known/oauth-protected-resource"],
    ["GET", "/.well-known/oauth-authorization-server"],
    ["HEAD", "/.well-known/oauth-authorization-server"],
    ["POST", "/.well-known/oauth-authorization-server"],
    ["OPTIONS", "/.well-known/oauth-protected-resource/mcp"],
    ["GET", "/mcp"],
  ])("%s %s is answered in the same way as by the official SDK", async (method, path) => {
    const request = () =>
      new Request(`https://mcp.example.com${path}`, {
        method,
        headers: { "access-control-request-headers": "mcp-protocol-version" },
      });
    const own = ours.oauthMetadataResponse(request(), metadata);
    const other = theirs.oauthMetadataResponse(request(), metadata as theirs.AuthMetadataOptions);
    expect(await parts(own)).toEqual(await parts(other));
  });

  it("has its URL after the well-known path", () => {
    for (const url of ["https://a.example/mcp", "https://a.example", "https://a.example/x/y/"]) {
      expect(ours.getOAuthProtectedResourceMetadataUrl(new URL(url))).toBe(
        theirs.getOAuthProtectedResourceMetadataUrl(new URL(url)),
      );
    }
  });

  it("rejects issuers that are not secure", () => {
    for (const issuer of [
      "http://login.example.com",
      "https://a.example?x",
      "https://a.example#x",
    ]) {
      const options = { ...metadata, oauthMetadata: { ...metadata.oauthMetadata, issuer } };
      expect(() => ours.buildOAuthProtectedResourceMetadata(options)).toThrow("Issuer URL");
    }
  });
});

describe("Express", () => {
  let server: Server;
  let base = "";
  beforeAll(async () => {
    const app = express();
    app.use(mcpAuthMetadataRouter(metadata));
    const gate = requireBearerAuth({ verifier: verifierFor(ours.OAuthError), ...challenge });
    app.get("/mcp", gate, (request, response) => void response.json(request.auth));
    await new Promise<void>((done) => (server = app.listen(0, "127.0.0.1", () => done())));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it("accepts valid tokens and passes on their owner", async () => {
    const headers = { authorization: "Bearer good" };
    const response = await fetch(`${base}/mcp`, { headers });
    expect(await response.json()).toMatchObject({ clientId: "app", scopes: ["mcp", "notes"] });
  });

  it("refuses others with a challenge", async () => {
    const response = await fetch(`${base}/mcp`, { headers: { authorization: "Bearer narrow" } });
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
    expect(await response.json()).toMatchObject({ error: "insufficient_scope" });
  });

  it("serves the metadata", async () => {
    const url = `${base}/.well-known/oauth-protected-resource/mcp`;
    const response = await fetch(url);
    expect(await response.json()).toMatchObject({ resource_name: "Notes" });
  });
});

function codes(classes: Readonly<Record<string, { name: string }>>) {
  return Object.entries(classes).map(([code, { name }]) => [code, name]);
}

describe("error classes of version 1", () => {
  it("have the codes of the official SDK", () => {
    expect(codes(OAUTH_ERRORS).toSorted()).toEqual(codes(errors.OAUTH_ERRORS).toSorted());
  });

  it("are OAuth errors", () => {
    const error = new InvalidTokenError("expired");
    expect(error).toBeInstanceOf(ours.OAuthError);
    expect(error.toResponseObject()).toEqual({
      error: "invalid_token",
      error_description: "expired",
    });
    expect(error.errorCode).toBe("invalid_token");
  });
});
