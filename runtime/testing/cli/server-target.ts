import type { ClientAuth } from "@mcp-codegen/runtime/http/client";
import type { Diagnostics } from "mcp-codegen";
import {
  hostServer,
  readHeaders,
  readServerCommand,
  readServerUrl,
  storedLogin,
  usageError,
  type Values,
} from "mcp-codegen/cli";
import type { OuterTarget } from "../doctor/conversation.js";
import { createMasks, MARK } from "../tape/index.js";

/** Server that a command line names, and the secrets that no report may show. */
export interface NamedServer {
  readonly target: OuterTarget;
  readonly name: string;
  readonly secrets: readonly string[];
}

/** Reads the server of a command line; undefined if it is invalid, which the diagnostics report. */
export async function readServer(
  values: Values,
  diagnostics: Diagnostics,
): Promise<NamedServer | undefined> {
  const [text, command] = [values.text("url"), values.words("command")];
  if ((text === undefined) === (command === undefined)) {
    const problem = text === undefined ? "There is no server." : "There are two servers.";
    const hint = "Pass a URL, a name in .mcp.json, or a command after --.";
    diagnostics.add(usageError(problem, hint));
    return undefined;
  }
  if (command !== undefined) return readCommand(command, values, diagnostics);
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text!)) return readUrl(text!, values, diagnostics);
  const entry = hostServer(text!, undefined, diagnostics);
  if (entry === undefined || diagnostics.hasErrors) return undefined;
  return "url" in entry
    ? readUrl(entry.url, values, diagnostics, entry.headers)
    : readCommand([entry.command, ...entry.args].map(literal), values, diagnostics, entry.env);
}

async function readUrl(
  text: string,
  values: Values,
  diagnostics: Diagnostics,
  headersOfEntry: Readonly<Record<string, string>> = {},
): Promise<NamedServer | undefined> {
  const url = readServerUrl(text, diagnostics, "Send credentials with --header or --login.");
  if (url === undefined) return undefined;
  const own = readHeaders(values, diagnostics);
  if (own === undefined) return undefined;
  const given = { ...lowered(headersOfEntry), ...own };
  const auth = values.flag("login") ? await storedLogin(values) : undefined;
  if (values.flag("login") && auth === undefined) {
    const hint = "Install it beside this one: npm install @mcp-codegen/auth";
    diagnostics.add(usageError("--login needs the package @mcp-codegen/auth.", hint));
    return undefined;
  }
  const token = auth && (await tokenFor(url, auth));
  const headers = { ...(token !== undefined && { authorization: token }), ...given };
  const secrets = [...Object.values(headers), ...url.searchParams.values()];
  return { target: { url, headers }, name: `${url.origin}${url.pathname}`, secrets };
}

/** Word of an entry in a host's file, whose variables have already been replaced. */
const literal = (word: string): string => word.replaceAll("$", "$$$$");

const lowered = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** @param entry - environment of an entry in a host's file */
function readCommand(
  words: readonly string[],
  values: Values,
  diagnostics: Diagnostics,
  entry?: Readonly<Record<string, string>>,
): NamedServer | undefined {
  const found = readServerCommand(words, values, diagnostics);
  if (found === undefined) return undefined;
  const env = { ...entry, ...found.env };
  const command = [found.command, ...found.args];
  const shown = createMasks().command(command);
  const secrets = command.flatMap((word, index) =>
    word === words[index] ? maskedIn(word, shown[index]!) : word,
  );
  const name = words.map((word, index) => (word === command[index] ? shown[index]! : word));
  return {
    target: { command, env },
    name: name.join(" ").split(MARK).join(MASK),
    secrets: [...Object.values(env), ...secrets],
  };
}

/** Values in a word that are marks in its masked form. */
function maskedIn(word: string, shown: string): readonly string[] {
  const parts = shown.split(MARK);
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join("(.+?)")}$`, "s").exec(word)?.slice(1) ?? [word];
}

/** Port of `--http`; undefined without one, and if it is invalid, which the diagnostics report. */
export function readPort(values: Values, diagnostics: Diagnostics): number | undefined {
  const port = values.number("http");
  if (port === undefined || (Number.isInteger(port) && port >= 0 && port <= 65_535)) return port;
  diagnostics.add(
    usageError("--http needs a whole number from 0 to 65535.", "For example: --http 3000"),
  );
  return undefined;
}

/** Value of `Authorization` that a stored login sends to a server; undefined without one. */
async function tokenFor(url: URL, auth: ClientAuth): Promise<string | undefined> {
  let sent: string | undefined;
  const authorized = auth.fetchFor(url, async (_, init) => {
    sent = new Headers(init?.headers).get("authorization") ?? undefined;
    return new Response();
  });
  await authorized(url, { method: "POST" });
  return sent;
}

/** Replaces secrets in a text, including the beginning of a secret at the end of a text that was cut. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, secret.replace(/^\w+ /, "")])
    .filter((secret) => secret.length > 3)
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, secret) => withoutBeginning(rest.replaceAll(secret, MASK), secret), text);
}

const MASK = "«masked»";

function withoutBeginning(text: string, secret: string): string {
  const cut = text.indexOf("…");
  if (cut < 0) return text;
  const kept = text.slice(0, cut);
  for (let length = Math.min(secret.length, cut); length > 3; length--) {
    if (kept.endsWith(secret.slice(0, length)))
      return `${kept.slice(0, -length)}${MASK}${text.slice(cut)}`;
  }
  return text;
}

/** Members of a finding with texts of this program, which may have a word that is also a header. */
const OWN = ["id", "requirement", "severity", "from", "outcome", "sentence"];

/** Copy of a plain value without secrets in its texts. */
export function masked<Value>(value: Value, secrets: readonly string[]): Value {
  if (value === undefined) return value;
  const text = JSON.stringify(value, (name, one: unknown) =>
    typeof one === "string" && !OWN.includes(name) ? withoutSecrets(one, secrets) : one,
  );
  return JSON.parse(text) as Value;
}
