import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** An MCP server behind authorization, with its authorization server, whose user agrees to everything. */
export interface GuardedServer {
  readonly url: string;
  close(): void;
}

/** @param inner - URL of an MCP server that needs no token */
export async function startGuarded(inner: string): Promise<GuardedServer> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const challenges = new Map<string, string>();
  const tokens = new Set<string>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, origin);
    const body = await text(request);
    if (url.pathname === "/mcp") return forward(request, response, body);
    if (url.pathname === "/authorize") {
      const back = new URL(url.searchParams.get("redirect_uri")!);
      const code = randomUUID();
      challenges.set(code, url.searchParams.get("code_challenge")!);
      const state = url.searchParams.get("state") ?? "";
      back.search = String(new URLSearchParams({ code, state, iss: origin }));
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    const document = documentAt(url.pathname, body);
    response.writeHead(document === undefined ? 404 : url.pathname === "/register" ? 201 : 200, {
      "content-type": "application/json",
    });
    response.end(JSON.stringify(document ?? {}));
  }

  function documentAt(path: string, body: string): object | undefined {
    switch (path) {
      case "/.well-known/oauth-protected-resource/mcp":
        return { resource: `${origin}/mcp`, authorization_servers: [origin] };
      case "/.well-known/oauth-authorization-server":
        return {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
          authorization_response_iss_parameter_supported: true,
        };
      case "/register":
        return { ...(JSON.parse(body) as object), client_id: randomUUID() };
      case "/token":
        return tokenFor(new URLSearchParams(body));
      default:
        return undefined;
    }
  }

  function tokenFor(form: URLSearchParams): object | undefined {
    const verifier = form.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    if (challenges.get(form.get("code") ?? "") !== challenge) return undefined;
    const token = randomUUID();
    tokens.add(token);
    return { access_token: token, token_type: "Bearer", expires_in: 3600 };
  }

  async function forward({ method, headers }: IncomingMessage, to: ServerResponse, body: string) {
    const { authorization = "", ...rest } = headers;
    if (!tokens.has(authorization.replace(/^bearer /i, ""))) {
      to.writeHead(401, { "www-authenticate": "Bearer" }).end();
      return;
    }
    const kept = Object.entries(rest).filter(([name]) =>
      /^(?:accept|content-type|mcp-)/.test(name),
    );
    const sent = { method: method!, headers: Object.fromEntries(kept) as Record<string, string> };
    const from = await fetch(inner, { ...sent, ...(body !== "" && { body }) });
    const fields = ["content-type", "mcp-session-id"].flatMap((name) => {
      const value = from.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    to.writeHead(from.status, Object.fromEntries(fields)).end(await from.text());
  }

  return {
    url: `${origin}/mcp`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
