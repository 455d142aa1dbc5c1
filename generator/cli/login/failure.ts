import type { OAuthError } from "@mcp-codegen/auth/client";
import type { Diagnostic } from "../../diagnostics.js";

/** URL without its query, which may hold a secret. */
export function place(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** Diagnostic of a login or logout that failed. */
export async function describeFailure(error: unknown, url: URL): Promise<Diagnostic> {
  const { message, stage } = error as Partial<OAuthError> & Error;
  const text = message.replace(/\.$/, "");
  const isUnreachable = text.startsWith(`${place(url)} gave no response`);
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
    return "Give a client that the authorization server knows with --client-id.";
  }
  if (/\bdevice\b/i.test(text)) return "Log in without --device.";
  if (/ or (?:the option|a longer) "timeout"/.test(text)) {
    return "Try again; --timeout gives more time.";
  }
  return / option "/.test(text)
    ? "Options that this command lacks are there for programs: oauth({ … }).login(url), with fileStore()."
    : "Try again; see --help for other ways to log in.";
}

/** Hint for the response to a request without a token; undefined when that is a demand for one. */
function hintAt(status: number | undefined): string | undefined {
  if (status === undefined) return UNREACHABLE;
  if (status === 401 || status === 403) return undefined;
  if (status === 404) return "Nothing is at this address (status 404): check it.";
  if (status >= 500) return `The server itself fails (status ${status}): try again later.`;
  if (status >= 300 && status <= 399) {
    return `The server redirects (status ${status}): give the address that it leads to.`;
  }
  return `The server did not ask for authorization (status ${status}): one that is not protected needs no login.`;
}

/** Status of the response to a request without a token; undefined when there is none. */
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
