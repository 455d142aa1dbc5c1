import type { ClientAuth } from "@mcp-codegen/runtime/http/client";
import type { Diagnostics } from "mcp-codegen";
import {
  MASK,
  readServer as readNamed,
  storedLogin,
  usageError,
  type Values,
  withoutSecrets,
} from "mcp-codegen/cli";
import type { OuterTarget } from "../doctor/conversation.js";
import { createMasks, MARK } from "../tape/index.js";

export interface NamedServer {
  readonly target: OuterTarget;
  readonly name: string;
  readonly secrets: readonly string[];
}

export async function readServer(
  values: Values,
  diagnostics: Diagnostics,
): Promise<NamedServer | undefined> {
  const [text, words] = [values.text("url"), values.words("command")];
  if ((text === undefined) === (words === undefined)) {
    const problem = text === undefined ? "There is no server." : "There are two servers.";
    const hint = "Pass a URL, a name in .mcp.json, or a command after --.";
    diagnostics.add(usageError(problem, hint));
    return undefined;
  }
  const advice = "Send credentials with --header or --login.";
  const server = readNamed({ text, command: words }, values, diagnostics, advice);
  if (server === undefined) return undefined;
  const { target, place, secrets } = server;
  if ("url" in target) {
    const headers = await headersFor(target.url, values, diagnostics);
    if (headers === undefined) return undefined;
    const all = { ...headers, ...target.headers };
    return {
      target: { ...target, headers: all },
      name: place,
      secrets: [...secrets, ...Object.values(all)],
    };
  }
  const command = [target.command, ...target.args];
  const shown = createMasks().command(command);
  const hidden = command.flatMap((word, index) => maskedIn(word, shown[index]!));
  // A word that contained a variable is shown as it was written.
  const named = command.map((word, index) =>
    words === undefined || words[index] === word ? shown[index]! : words[index]!,
  );
  return {
    target: { ...target, command },
    name: withoutSecrets(named.join(" ").split(MARK).join(MASK), secrets),
    secrets: [...secrets, ...hidden],
  };
}

async function headersFor(
  url: URL,
  values: Values,
  diagnostics: Diagnostics,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (!values.flag("login")) return {};
  const auth = await storedLogin(values);
  if (auth === undefined) {
    const hint = "Install it beside this one: npm install @mcp-codegen/auth";
    diagnostics.add(usageError("--login needs the package @mcp-codegen/auth.", hint));
    return undefined;
  }
  const token = await tokenFor(url, auth);
  return token === undefined ? {} : { authorization: token };
}

function maskedIn(word: string, shown: string): readonly string[] {
  const parts = shown.split(MARK);
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join("(.+?)")}$`, "s").exec(word)?.slice(1) ?? [word];
}

async function tokenFor(url: URL, auth: ClientAuth): Promise<string | undefined> {
  let sent: string | undefined;
  const authorized = auth.fetchFor(url, async (_, init) => {
    sent = new Headers(init?.headers).get("authorization") ?? undefined;
    return new Response();
  });
  await authorized(url, { method: "POST" });
  return sent;
}

/**
 * The members of findings and torture outcomes whose text comes only from this program. They are not masked, even if
 * they contain a secret.
 */
const OWN = ["id", "requirement", "severity", "from", "outcome", "sentence"];

export function masked<Value>(
  value: Value,
  secrets: readonly string[],
  own: readonly string[] = OWN,
): Value {
  if (value === undefined) return value;
  const text = JSON.stringify(value, (name, one: unknown) =>
    typeof one === "string" && !own.includes(name) ? withoutSecrets(one, secrets) : one,
  );
  return JSON.parse(text) as Value;
}
