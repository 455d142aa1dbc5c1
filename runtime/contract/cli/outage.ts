import { RpcError } from "@mcp-codegen/universal";
import type { Diagnostic } from "mcp-codegen";
import { withoutSecrets } from "mcp-codegen/cli";
import type { LockJob } from "./jobs.js";
import type { ServerAddress } from "../read/read-server.js";

export interface KnownAddress extends Omit<ServerAddress, "signal"> {
  readonly secrets: readonly string[];
}

/**
 * Describes why a server could not be read. The values of headers and environment variables are removed from the
 * message.
 */
export function describeOutage(
  error: unknown,
  { name, source, revision }: LockJob,
  { secrets, timeout }: KnownAddress,
): Diagnostic {
  const { message = String(error), name: kind = "" } = error as Partial<Error>;
  const place = "url" in source ? source.url : "command" in source ? source.command : "";
  const reason = withoutSecrets(firstLines(message), secrets);
  const isTooMuch =
    kind === "OverloadError" || (error as object)?.constructor?.name === "TooMuchError";
  return {
    code: isTooMuch ? "MCG9003" : "MCG9101",
    severity: "error",
    message: `${name === undefined ? "" : `${name}: `}${place} ${
      isTooMuch ? `is beyond the limits: ${reason}` : `could not be read: ${reason}`
    }.`.replace(/\.+$/, "."),
    hint: hintFor(error, { place, isUrl: "url" in source, timeout, revision }),
  };
}

/**
 * Describes the error that a server returned for a tool call.
 * @throws the error itself if it does not come from the server
 */
export function describeRefusal(error: unknown, tool: string): Diagnostic {
  if (!(error instanceof RpcError)) throw error;
  const isIncapable = error.message.includes("declares the capability");
  return {
    code: "MCG9101",
    severity: "error",
    message: `The server refuses the call of ${tool}: ${firstLines(error.message)}`.replace(
      /\.*$/,
      ".",
    ),
    hint: isIncapable
      ? "The tool needs a user or a model, which this command has not: call it from a host."
      : "See its arguments with mcp-codegen tools.",
  };
}

function firstLines(text: string): string {
  const all = text.split("\n").filter((line) => line.trim() !== "");
  const lines = all.slice(0, 8).join(" | ");
  return lines.length > 1000 ? `${lines.slice(0, 1000)}…` : lines;
}

interface Outage {
  readonly place: string;
  readonly isUrl: boolean;
  readonly timeout: number;
  readonly revision: string | undefined;
}

function hintFor(error: unknown, { place, isUrl, timeout, revision }: Outage): string {
  const { name = "", status, code } = error as { name?: string; status?: number; code?: string };
  if (name === "OverloadError") return "A server with endless lists cannot be locked.";
  if (name === "TimeoutError" || name === "RequestTimeoutError") {
    return `It took more than ${timeout / 1000} s; --timeout sets a longer limit.`;
  }
  if (name === "OAuthError" || name === "AuthorizationError" || status === 401 || status === 403) {
    return `Log in first with mcp-codegen login ${place}, or use --header "Authorization: Bearer $TOKEN".`;
  }
  const { message = "" } = error as Partial<Error>;
  const isRevision =
    name === "UnsupportedRevisionError" || / (speaks?|supports?|accepts) /.test(message);
  if (isRevision && revision !== undefined) return "Leave out --revision, or name another one.";
  if (isUrl) return "Check the address and the connection.";
  if (code === "ENOENT" || /ENOENT|not found/.test(String((error as Error).message))) {
    return "Check the command: it runs without a shell.";
  }
  return "Run the command by itself: a server then waits for messages. Pass the secrets that it needs with --env NAME.";
}
