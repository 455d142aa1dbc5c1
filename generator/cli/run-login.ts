import type { Authorize, DevicePrompt, OAuth, OAuthOptions } from "@mcp-codegen/auth/client";
import type { Diagnostics } from "../diagnostics.js";
import type { Context, Values } from "./command.js";
import { usageError } from "./explain-usage.js";
import type { Outcome } from "./outcome.js";

/** `login`: tokens for an MCP server, into the store. */
export async function runLogin(values: Values, context: Context): Promise<Outcome | undefined> {
  if (values.flag("device") && values.flag("no-browser")) {
    context.diagnostics.add(usageError("--device and --no-browser exclude each other."));
  }
  return run(values, context, (auth, url) => auth.login(url), "Logged in at");
}

/** `logout`: the tokens for an MCP server, revoked and out of the store. */
export async function runLogout(values: Values, context: Context): Promise<Outcome | undefined> {
  return run(values, context, (auth, url) => auth.logout(url), "Logged out of");
}

async function run(
  values: Values,
  { diagnostics }: Context,
  act: (auth: OAuth, url: URL) => Promise<void>,
  done: string,
): Promise<Outcome | undefined> {
  const url = serverUrl(values.text("url") ?? "", diagnostics);
  const client = knownClient(values, diagnostics);
  if (url === undefined || diagnostics.hasErrors) return undefined;
  const modules = await load(diagnostics);
  if (modules === undefined) return undefined;
  const folder = values.text("store");
  const auth = modules.client.oauth({
    authorize: wayToToken(values, modules),
    store: modules.node.fileStore(folder === undefined ? {} : { folder }),
    clientMetadata: { client_name: "mcp-codegen" },
    scopes: values.text("scope")?.split(/\s+/).filter(Boolean) ?? [],
    ...(client && { client }),
  });
  try {
    await act(auth, url);
  } catch (error) {
    diagnostics.add({
      code: "MCG7010",
      severity: "error",
      message: `${url.origin}${url.pathname}: ${reasonOf(error)}.`,
      hint: await hintFor(error, url),
    });
    return undefined;
  }
  return { data: { url: url.href }, lines: [[`${done} ${url.origin}${url.pathname}`]] };
}

function serverUrl(text: string, diagnostics: Diagnostics): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  diagnostics.add(
    usageError(
      "The address of the server must be an http: or https: URL without a user or password.",
      "For example: https://mcp.example.com/mcp",
    ),
  );
  return undefined;
}

function knownClient(values: Values, diagnostics: Diagnostics): OAuthOptions["client"] {
  const id = values.text("client-id");
  const variable = values.text("client-secret-env");
  const secret = variable === undefined ? undefined : process.env[variable];
  if (variable !== undefined && id === undefined) {
    diagnostics.add(usageError("--client-secret-env needs --client-id."));
  } else if (variable !== undefined && !secret) {
    diagnostics.add(
      usageError("The environment variable that --client-secret-env names is not set."),
    );
  }
  return id === undefined ? undefined : { id, ...(secret && { secret }) };
}

interface Modules {
  readonly client: typeof import("@mcp-codegen/auth/client");
  readonly node: typeof import("@mcp-codegen/auth/node");
}

async function load(diagnostics: Diagnostics): Promise<Modules | undefined> {
  try {
    const client = await import("@mcp-codegen/auth/client");
    return { client, node: await import("@mcp-codegen/auth/node") };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    diagnostics.add(
      usageError(
        "This command needs the package @mcp-codegen/auth, which is not installed.",
        "Install it beside this one: npm install mcp-codegen @mcp-codegen/auth",
      ),
    );
    return undefined;
  }
}

function wayToToken(values: Values, { client, node }: Modules): Authorize {
  if (values.flag("device")) return client.device({ show: showCode });
  return node.loopback(values.flag("no-browser") ? { open: () => undefined, show: showUrl } : {});
}

function showUrl(url: URL): void {
  process.stderr.write(`Log in with your browser at:\n${url.href}\n`);
}

function showCode({ url, userCode }: DevicePrompt): void {
  process.stderr.write(`Open ${url.href} on any device, and type in this code: ${userCode}\n`);
}

async function hintFor(error: unknown, url: URL): Promise<string> {
  const { stage } = error as { stage?: unknown };
  if (stage === undefined) return "Check the address and the connection.";
  if (stage === "discovery" || stage === "registration") {
    const status = await statusOf(url);
    if (status !== undefined && status !== 401 && status !== 403) {
      return `Check the address. The server did not ask for authorization (status ${status}): one that is not protected needs no login.`;
    }
  }
  if (stage === "registration") {
    return "Give a client that the authorization server knows with --client-id.";
  }
  return "Try again; see --help for other ways to log in.";
}

/** Status of a request without a token; undefined when there is no answer. */
async function statusOf(url: URL): Promise<number | undefined> {
  const headers = { accept: "text/event-stream" };
  const signal = AbortSignal.timeout(10_000);
  try {
    const response = await fetch(url, { headers, redirect: "manual", signal });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

/** The message, with that of the cause where a connection failed. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const inner = cause instanceof Error && cause.message !== "" ? `: ${cause.message}` : "";
  return `${message}${message.includes(inner) ? "" : inner}`.replace(/\.$/, "");
}
