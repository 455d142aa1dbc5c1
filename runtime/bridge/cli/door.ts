import { createHash, timingSafeEqual } from "node:crypto";
import type { Authenticate } from "@mcp-codegen/runtime/http/server";
import type { McpServer } from "@mcp-codegen/universal/server";
import type { Diagnostics } from "mcp-codegen";
import { cannotListen, isLoopback, usageError, type Values } from "mcp-codegen/cli";

/** Address at which clients reach the bridge; undefined for standard input and output. */
interface Door {
  readonly kind: "http" | "sse";
  readonly port: number;
  readonly host: string;
  readonly authenticate?: Authenticate;
}

/** Reads the address of a command line; undefined without one. */
export function readDoor(values: Values, diagnostics: Diagnostics): Door | undefined {
  const kinds = (["http", "sse"] as const).filter((kind) => values.text(kind) !== undefined);
  const [kind] = kinds;
  if (kinds.length > 1 || (kind !== undefined && values.flag("stdio"))) {
    diagnostics.add(usageError("--stdio, --http and --sse cannot be combined."));
  }
  const [host = "127.0.0.1", tokenName] = [values.text("host"), values.text("token-env")];
  if (kind === undefined) {
    for (const name of ["host", "token-env"]) {
      if (values.text(name) === undefined) continue;
      diagnostics.add(usageError(`--${name} needs --http or --sse.`));
    }
    return undefined;
  }
  const port = values.text(kind) === "" ? 0 : Number(values.text(kind));
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    const hint = "Put the server before it, or write --http=3000.";
    diagnostics.add(usageError(`--${kind} needs a port, a whole number up to 65535.`, hint));
  }
  const token = tokenName === undefined ? undefined : process.env[tokenName];
  if (tokenName !== undefined && !token) {
    diagnostics.add(usageError(`The environment variable ${tokenName} is not set.`));
  }
  if (!isLoopback(host) && tokenName === undefined) {
    const hint = "Name a variable with a secret token: --token-env MCP_TOKEN";
    diagnostics.add(usageError(`--host ${host} admits other machines without a token.`, hint));
  }
  return { kind, port, host, ...(token && { authenticate: bearer(token) }) };
}

/** Stateless callers are told apart by their principals only. */
const NO_FORMS =
  "Callers of stateless revisions cannot be asked questions, such as forms, without a token: name one with --token-env\n";

/** Digest of a text. All digests have the same length, which the comparison in constant time requires. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Accepts requests with a token. */
function bearer(token: string): Authenticate {
  const expected = digest(token);
  return ({ header }) => {
    const [, given = ""] = /^Bearer +(\S+)$/i.exec(header("authorization") ?? "") ?? [];
    if (timingSafeEqual(digest(given), expected)) return { principal: "token" };
    return { status: 401, headers: { "WWW-Authenticate": "Bearer" } };
  };
}

/** Serves over HTTP until a signal arrives. */
export async function serveHttp(
  server: McpServer,
  { kind, port, host, authenticate }: Door,
  place: string,
  diagnostics: Diagnostics,
): Promise<void> {
  const { createHttpHandler, createSseHandler } = await import("@mcp-codegen/runtime/http/server");
  const { listen } = await import("@mcp-codegen/runtime/http/node");
  const options = {
    ...(authenticate && { authenticate }),
    ...(isLoopback(host) ? {} : { allowedHosts: "any" as const }),
  };
  const handler =
    kind === "sse" ? createSseHandler(server, options) : createHttpHandler(server, options);
  const routes = kind === "sse" ? { "/sse": handler, "/messages": handler } : { "/mcp": handler };
  try {
    const http = await listen(routes, { port, host });
    process.stderr.write(`${place} at ${http.url}; stop it with Ctrl+C\n`);
    const isStateless = server.revisions.some(({ traits }) => traits.lifecycle === "discover");
    if (kind === "http" && isStateless && authenticate === undefined)
      process.stderr.write(NO_FORMS);
    await interrupted();
    await http.close();
  } catch (error) {
    diagnostics.add(cannotListen(error));
  } finally {
    await server.close();
  }
}

/** Resolves at the first signal to stop; a second one ends the process at once. */
async function interrupted(): Promise<void> {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  await new Promise<void>((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
  });
}
