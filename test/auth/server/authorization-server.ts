import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { onTestFinished } from "vitest";

export interface Key {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** An authorization server that publishes keys and metadata and signs whatever a test needs. */
export class AuthorizationServer {
  readonly issuer: string;
  /** The paths of all requests. */
  readonly requests: string[] = [];
  /** Introspection answers, by token. */
  readonly introspected = new Map<string, object>();
  keys: Key[];
  isDown = false;

  private constructor(issuer: string, keys: Key[]) {
    this.issuer = issuer;
    this.keys = keys;
  }

  static async start(): Promise<AuthorizationServer> {
    let server: AuthorizationServer | undefined;
    const listener = createServer((request, response) => void server!.#answer(request, response));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      listener.closeAllConnections();
      listener.close();
    });
    const { port } = listener.address() as AddressInfo;
    server = new AuthorizationServer(`http://127.0.0.1:${port}`, [await makeKey("one")]);
    return server;
  }

  async token(
    claims: Readonly<Record<string, unknown>> = {},
    { alg = "ES256", key = this.keys[0]!, header = {} as object } = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const all = {
      iss: this.issuer,
      sub: "ada",
      aud: RESOURCE,
      iat: now,
      exp: now + 300,
      ...claims,
    };
    return new SignJWT(defined(all))
      .setProtectedHeader({ alg, kid: key.kid, typ: "at+jwt", ...header })
      .sign(key.privateKey);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.split("?")[0]!;
    this.requests.push(path);
    let body = "";
    for await (const piece of request) body += String(piece);
    const found = this.isDown ? undefined : this.#document(path, body);
    const status = this.isDown ? 503 : found === undefined ? 404 : 200;
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(found ?? {}));
  }

  #document(path: string, body: string): object | undefined {
    const { issuer } = this;
    if (path === "/.well-known/oauth-authorization-server") {
      return {
        issuer,
        jwks_uri: `${issuer}/jwks`,
        introspection_endpoint: `${issuer}/introspect`,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
      };
    }
    if (path === "/jwks") {
      return { keys: this.keys.map(({ jwk, kid }) => ({ ...jwk, kid, alg: "ES256", use: "sig" })) };
    }
    if (path === "/introspect") {
      return this.introspected.get(new URLSearchParams(body).get("token")!) ?? { active: false };
    }
    return undefined;
  }
}

export const RESOURCE = "http://127.0.0.1:3000/mcp";

export async function makeKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  return { kid, privateKey, jwk: await exportJWK(publicKey) };
}

interface ProofParts {
  readonly htm?: string;
  readonly htu?: string;
  readonly jti?: string;
  readonly iat?: number;
  readonly ath?: string | undefined;
  readonly typ?: string;
}

/** Creates a proof of possession for a request with a token. */
export async function proofFor(token: string, key: Key, parts: ProofParts = {}): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  const { typ = "dpop+jwt", ...claims } = {
    htm: "POST",
    htu: RESOURCE,
    jti: crypto.randomUUID(),
    iat: Math.floor(Date.now() / 1000),
    ath: Buffer.from(digest).toString("base64url"),
    ...parts,
  };
  return new SignJWT(defined(claims))
    .setProtectedHeader({ alg: "ES256", typ, jwk: key.jwk })
    .sign(key.privateKey);
}

export const thumbprintOf = (key: Key): Promise<string> => calculateJwkThumbprint(key.jwk);

function defined(claims: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}
