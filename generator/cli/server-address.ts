import type { Diagnostics } from "../diagnostics.js";
import type { Values } from "./command.js";
import { usageError } from "./explain-usage.js";
import { expand, readVariables } from "./secrets.js";

/** Command that starts a server, and the variables that it receives. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Reads the URL of a server; undefined if it is invalid, which the diagnostics report without repeating it. */
export function readServerUrl(
  text: string,
  diagnostics: Diagnostics,
  hint = "Send credentials with --header, or log in with mcp-codegen login.",
): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  const problem =
    "The address of the server must be an http: or https: URL without a user or password.";
  diagnostics.add(usageError(problem, hint));
  return undefined;
}

/** Reads the command after `--`, and replaces the variables in it; undefined if it is invalid, which the diagnostics report. */
export function readServerCommand(
  [command = "", ...args]: readonly string[],
  values: Values,
  diagnostics: Diagnostics,
): ServerCommand | undefined {
  const before = diagnostics.items.length;
  if (command === "") {
    const hint = "For example: -- npx -y some-server";
    diagnostics.add(usageError("There is no command after --.", hint));
  }
  if (values.list("header").length > 0) {
    const hint = "Pass secrets to a command with --env NAME.";
    diagnostics.add(usageError("--header applies to a URL only.", hint));
  }
  const env = readVariables(values.list("env"), diagnostics);
  const [program, ...words] = [command, ...args].map((word) => expand(word, diagnostics));
  if (env === undefined || diagnostics.items.length > before) return undefined;
  return { command: program!, args: words, env };
}
