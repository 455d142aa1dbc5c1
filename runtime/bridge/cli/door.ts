import { createHash, timingSafeEqual } from "node:crypto";
import type { Authenticate } from "@mcp-codegen/runtime/http/server";
import type { McpServer } from "@mcp-codegen/universal/server";
import type { Diagnostics } from "mcp-codegen";
import {
  cannotListen,
  isLoopback,
  readPort,
  untilInterrupted,
  usageError,
  type Values,
} from "mcp-codegen/cli";

/** The address at which the bridge serves clients over HTTP. */
interface Door {
  readonly kind: "http" | "sse";
  readonly port: number;
  readonly host: string;
  /** The tokens that clients may send, with the names of their environment variables. */
  readonly tokens: readonly (readonly [name: string, token: string])[];
}

/** Reads the address from the command line. If there is none, the bridge uses standard input and output. */
export function readDoor(values: Values, diagnostics: Diagnostics): Door | undefined {
  const kinds = (["http", "sse"] as const).filter((kind) => values.text(kind) !== undefined);
  const [kind] = kinds;
  if (kinds.length > 1 || (kind !== undefined && values.flag("stdio"))) {
    diagnostics.add(usageError("--stdio, --http and --sse cannot be combined."));
  }
  const names = values.list("token-env");
  if (kind === undefined) {
    for (const name of ["host", "token-env"]) {
      if (values.list(name).length === 0) continue;
      diagnostics.add(usageError(`--${name} needs --http or --sse.`));
    }
    return undefined;
  }
  const host = values.text("host") ?? "127.0.0.1";
  for (const name of names.filter((one) => !process.env[one])) {
    diagnostics.add(usageError(`The environment variable ${name} is not set.`));
  }
  if (!isLoopback(host) && names.length === 0) {
    const hint = "Name a variable with a secret token: --token-env MCP_TOKEN";
    diagnostics.add(usageError(`--host ${host} admits other machines without a token.`, hint));
  }
  const tokens = names.map((name) => [name, process.env[name] ?? ""] as const);
  if (new Set(tokens.map(([, token]) => token)).size < tokens.length && !diagnostics.hasErrors) {
    diagnostics.add(usageError(`Each --token-env needs a token of its own: ${names.join(", ")}.`));
  }
  return { kind, port: readPort(kind, values, diagnostics) ?? 0, host, tokens };
}

/** A warning: only authentication can tell stateless clients apart. */
const NO_FORMS =
  "Without --token-env, stateless clients cannot answer questions of servers that keep sessions\n";

/** Returns a digest, because `timingSafeEqual` requires values of equal length. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/**
 * Authenticates requests that carry one of the tokens. The name of that token's environment variable becomes the
 * principal.
 */
function bearer(tokens: Door["tokens"]): Authenticate {
  const expected = tokens.map(([principal, token]) => ({ principal, is: digest(token) }));
  return ({ header }) => {
    const [, given = ""] = /^Bearer +(\S+)$/i.exec(header("authorization") ?? "") ?? [];
    const sent = digest(given);
    const found = expected.filter(({ is }) => timingSafeEqual(sent, is))[0];
    if (found) return { principal: found.principal };
    return { status: 401, headers: { "WWW-Authenticate": "Bearer" } };
  };
}

export async function serveHttp(
  server: McpServer,
  { kind, port, host, tokens }: Door,
  place: string,
  diagnostics: Diagnostics,
): Promise<void> {
  const { createHttpHandler, createSseHandler } = await import("@mcp-codegen/runtime/http/server");
  const { listen } = await import("@mcp-codegen/runtime/http/node");
  const options = {
    ...(tokens.length > 0 && { authenticate: bearer(tokens) }),
    ...(isLoopback(host) ? {} : { allowedHosts: "any" as const }),
  };
  const handler =
    kind === "sse" ? createSseHandler(server, options) : createHttpHandler(server, options);
  const routes = kind === "sse" ? { "/sse": handler, "/messages": handler } : { "/mcp": handler };
  try {
    const http = await listen(routes, { port, host });
    process.stderr.write(`Serving ${place} at ${http.url}; stop it with Ctrl+C\n`);
    const isStateless = server.revisions.some(({ traits }) => traits.lifecycle === "discover");
    if (kind === "http" && isStateless && tokens.length === 0) process.stderr.write(NO_FORMS);
    await untilInterrupted();
    await http.close();
  } catch (error) {
    diagnostics.add(cannotListen(error));
  } finally {
    await server.close();
  }
}
