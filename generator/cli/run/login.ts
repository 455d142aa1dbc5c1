import type {
  AuthStore,
  Authorize,
  DevicePrompt,
  LogoutResult,
  OAuth,
  OAuthError,
  OAuthOptions,
} from "@mcp-codegen/auth/client";
import type { Diagnostic, Diagnostics } from "../../diagnostics.js";
import type { Context, Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import { loadPart } from "../load-part.js";
import { readServerUrl } from "../server-address.js";
import type { Outcome } from "../outcome.js";
import { visible } from "../../report/visible.js";

export async function runLogin(values: Values, context: Context): Promise<Outcome | undefined> {
  if (values.flag("device") && values.flag("no-browser")) {
    context.diagnostics.add(usageError("--device and --no-browser cannot be combined."));
  }
  return run(values, context, async (auth, url) => {
    await withInterruption(`The login at ${place(url)} was interrupted.`, (signal) =>
      auth.login(url, { signal }),
    );
    return { data: { url: place(url) }, lines: [`Logged in at ${place(url)}`] };
  });
}

export async function runLogout(values: Values, context: Context): Promise<Outcome | undefined> {
  return run(values, context, async (auth, url) => {
    const tokens = await auth.logout(url);
    const [line, summary] = LOGOUT[tokens];
    return {
      data: { url: place(url), tokens },
      lines: [`${line} ${place(url)}`],
      ...(summary !== undefined && { summary }),
    };
  });
}

const LOGOUT: Readonly<Record<LogoutResult, readonly [line: string, summary?: string]>> = {
  revoked: ["Logged out of"],
  forgotten: [
    "Logged out of",
    "The tokens are deleted here, but the authorization server did not revoke them: they are valid until they expire.",
  ],
  none: [
    "Not logged in at",
    "No tokens were found. They are stored by address, --client-id and --store.",
  ],
};

async function run(
  values: Values,
  { diagnostics }: Context,
  act: (auth: OAuth, url: URL) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  const settings = readSettings(values, diagnostics);
  const modules = settings && (await loadModules(diagnostics));
  if (modules === undefined) return undefined;
  const { url, folder, options } = settings!;
  const store = modules.node.fileStore(folder === undefined ? {} : { folder });
  if (!(await isUsable(store, diagnostics))) return undefined;
  const authorize = wayToToken(values, modules);
  const auth = modules.client.oauth({ authorize, store, ...options });
  try {
    return await act(auth, url);
  } catch (error) {
    diagnostics.add(await describeFailure(error, url));
    return undefined;
  }
}

/**
 * Returns true if tokens can be stored; otherwise, reports why they cannot. This is checked before the login, so that
 * the user does not log in for nothing.
 */
async function isUsable(store: AuthStore, diagnostics: Diagnostics): Promise<boolean> {
  try {
    await store.exclusive?.("login", async () => {});
    return true;
  } catch (error) {
    diagnostics.add({
      code: "MCG6102",
      severity: "error",
      message: `The tokens cannot be stored: ${(error as Error).message}.`,
      hint: "Choose another folder with --store.",
    });
    return false;
  }
}

/** Returns a URL without its query, which may contain a secret. */
export function place(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

export async function describeFailure(error: unknown, url: URL): Promise<Diagnostic> {
  const { message, stage } = error as Partial<OAuthError> & Error;
  const text = message.replace(/\.$/, "");
  const isUnreachable = text.startsWith(`${place(url)} did not respond`);
  return {
    code: "MCG7010",
    severity: "error",
    message: text.startsWith(place(url)) ? `${text}.` : `${place(url)}: ${text}.`,
    hint: isUnreachable ? UNREACHABLE : await hintFor(stage, text, url),
  };
}

const UNREACHABLE = "Check the address and the connection.";

async function hintFor(stage: OAuthError["stage"] | undefined, text: string, url: URL) {
  const isEarly = stage === "discovery" || stage === "registration";
  const hint = isEarly ? hintAt(await statusOf(url)) : undefined;
  if (hint !== undefined) return hint;
  if (stage === "registration") {
    return "Name a client that is registered with the authorization server, with --client-id.";
  }
  if (/\bdevice\b/i.test(text)) return "Log in without --device.";
  if (/ or (?:the option|a longer) "timeout"/.test(text)) {
    return "Try again; --timeout sets a longer limit.";
  }
  return / option "/.test(text)
    ? "Programs have more options than this command: oauth({ … }).login(url), with fileStore()."
    : "Try again; see --help for other ways to log in.";
}

/**
 * Returns a hint based on the status of a response to a request without a token; undefined if the server requires a
 * token.
 */
function hintAt(status: number | undefined): string | undefined {
  if (status === undefined) return UNREACHABLE;
  if (status === 401 || status === 403) return undefined;
  if (status === 404) return "There is nothing at this address (status 404): check it.";
  if (status >= 500) return `The server failed (status ${status}): try again later.`;
  if (status >= 300 && status <= 399) {
    return `The server redirects (status ${status}): use the address that it redirects to.`;
  }
  return `The server did not require authorization (status ${status}): an unprotected server needs no login.`;
}

/** Returns the status of the server's response to a request without a token. */
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

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs work until it ends or the process is interrupted. On an interruption, the work is aborted so that it can release
 * its resources, and the process then exits with the signal, as its parent process expects.
 *
 * @param line - the line that the user sees after an interruption
 */
export async function withInterruption(
  line: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const end = (name: NodeJS.Signals): void => {
    received = name;
    controller.abort();
  };
  for (const name of SIGNALS) process.once(name, end);
  try {
    await work(controller.signal);
  } catch (error) {
    if (received === undefined) throw error;
    for (const name of SIGNALS) process.off(name, end);
    process.stderr.write(`\n${line}\n`);
    process.kill(process.pid, received);
    await new Promise(() => {});
  } finally {
    for (const name of SIGNALS) process.off(name, end);
  }
}

/** The modules of the optional peer dependency `@mcp-codegen/auth`. */
export interface Modules {
  readonly client: typeof import("@mcp-codegen/auth/client");
  readonly node: typeof import("@mcp-codegen/auth/node");
}

export function loadModules(diagnostics: Diagnostics): Promise<Modules | undefined> {
  return loadPart(
    async () => ({
      client: await import("@mcp-codegen/auth/client"),
      node: await import("@mcp-codegen/auth/node"),
    }),
    diagnostics,
  );
}

export interface Settings {
  readonly url: URL;
  /** The folder in which tokens are stored; undefined to use the default of `fileStore()`. */
  readonly folder: string | undefined;
  readonly options: Omit<OAuthOptions, "authorize">;
}

export function readSettings(values: Values, diagnostics: Diagnostics): Settings | undefined {
  const url = readServerUrl(
    values.text("url") ?? "",
    diagnostics,
    "For example: https://mcp.example.com/mcp",
  );
  const client = knownClient(values, diagnostics);
  if (url === undefined || diagnostics.hasErrors) return undefined;
  const timeout = values.number("timeout");
  const options = {
    clientMetadata: { client_name: "mcp-codegen" },
    onwarning: () => {},
    scopes: values.text("scope")?.split(/\s+/).filter(Boolean) ?? [],
    ...(timeout !== undefined && { timeout: timeout * 1000 }),
    ...(client && { client }),
  };
  return { url, folder: values.text("store"), options };
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

export function wayToToken(values: Values, { client, node }: Modules): Authorize {
  if (values.flag("device")) return client.device({ show: showCode });
  return node.loopback(values.flag("no-browser") ? { open: () => undefined, show: showUrl } : {});
}

function showUrl(url: URL): void {
  process.stderr.write(`Log in with your browser at:\n${url.href}\n`);
}

/** Prints the code and its URL. Control characters are escaped, because both come from the server. */
function showCode({ url, userCode }: DevicePrompt): void {
  process.stderr.write(
    `Open ${url.href} on any device, and enter this code: ${visible(userCode)}\n`,
  );
}
