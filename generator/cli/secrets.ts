import type { ClientAuth } from "@mcp-codegen/runtime/http/client";
import type { Diagnostics } from "../diagnostics.js";
import type { Values } from "./command.js";
import { usageError } from "./explain-usage.js";

/**
 * Replaces `$NAME` and `${NAME}` with the values of environment variables, and `$$` with a dollar sign.
 *
 * @param found - receives the values of the variables
 */
export function expand(text: string, diagnostics: Diagnostics, found: string[] = []): string {
  return text.replace(/\$(?:\$|(\w+)|\{(\w+)\})/g, (whole, plain?: string, braced?: string) => {
    const name = plain ?? braced;
    return name === undefined ? "$" : (variable(name, diagnostics, found) ?? whole);
  });
}

/**
 * Returns the value of an environment variable, and adds it to `found`. The fallback is used if the variable is unset
 * or empty; without a fallback, such a variable is reported.
 */
export function variable(
  name: string,
  diagnostics: Diagnostics,
  found: string[],
  fallback?: string,
): string | undefined {
  const value = process.env[name];
  if (value !== undefined && value !== "") {
    found.push(value);
    return value;
  }
  if (fallback === undefined) {
    const message = `The environment variable ${name} is not set.`;
    diagnostics.add(usageError(message, "Write $$ for a dollar sign."));
  }
  return fallback ?? value;
}

/**
 * Masks secrets of more than three characters in a string, including the token in a header value such as `Bearer …`.
 * Also masks the beginning of a secret at the point where a string was cut off with `…`.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, secret.replace(/^\w+ /, "")])
    .filter((secret) => secret.length > 3)
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, secret) => withoutBeginning(rest.replaceAll(secret, MASK), secret), text);
}

export const MASK = "«masked»";

function withoutBeginning(text: string, secret: string): string {
  const parts = text.split("…");
  const last = parts.pop() ?? "";
  return [...parts.map((part) => maskedEnd(part, secret)), last].join("…");
}

function maskedEnd(text: string, secret: string): string {
  for (let length = Math.min(secret.length, text.length); length > 3; length--) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${MASK}`;
  }
  return text;
}

/** Returns the values of `--header` by lower-case name; undefined if any of them is invalid. */
export function readHeaders(
  values: Values,
  diagnostics: Diagnostics,
): Readonly<Record<string, string>> | undefined {
  const before = diagnostics.items.length;
  const headers = values.list("header").map((header) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.+)$/.exec(header) ?? [];
    if (name === undefined || value === undefined) {
      // The input may contain a secret, so it is not shown.
      diagnostics.add(
        usageError("--header needs a name and a value.", '--header "Authorization: Bearer $TOKEN"'),
      );
      return ["", ""] as const;
    }
    const sent = expand(value, diagnostics);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(sent)) {
      diagnostics.add(usageError(`The header ${name} has a character that cannot be sent.`));
    }
    return [name.toLowerCase(), sent] as const;
  });
  return diagnostics.items.length > before ? undefined : Object.fromEntries(headers);
}

export function readVariables(
  names: readonly string[],
  diagnostics: Diagnostics,
): Readonly<Record<string, string>> | undefined {
  const missing = names.filter((name) => process.env[name] === undefined);
  for (const name of missing) {
    const isPair = name.includes("=");
    diagnostics.add(
      usageError(
        isPair
          ? "--env needs the name of a variable, without a value."
          : `The environment variable ${name} is not set.`,
        "The program receives the value that it has here: put NAME=… before mcp-codegen.",
      ),
    );
  }
  if (missing.length > 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, process.env[name]!]));
}

/**
 * Returns an authorization that uses the tokens stored by `login`; undefined if `@mcp-codegen/auth` is not installed.
 */
export async function storedLogin(values: Values): Promise<ClientAuth | undefined> {
  try {
    const { oauth, OAuthError } = await import("@mcp-codegen/auth/client");
    const { fileStore } = await import("@mcp-codegen/auth/node");
    const [folder, id] = [values.text("store"), values.text("client-id")];
    const tokens = (): never => {
      throw new OAuthError("authorization", "No login for this server");
    };
    return oauth({
      authorize: { hasUser: true, tokens: async () => tokens() },
      store: fileStore(folder === undefined ? {} : { folder }),
      clientMetadata: { client_name: "mcp-codegen" },
      ...(id !== undefined && { client: { id } }),
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    return undefined;
  }
}
