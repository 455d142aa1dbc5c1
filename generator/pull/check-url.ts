import type { Diagnostics } from "../diagnostics.js";

/**
 * Returns the URL to fetch next. If it is not permitted, reports this to the diagnostics and returns undefined. The URL
 * must use HTTPS, or HTTP on a loopback address, and must not contain credentials. A redirect must stay on the same
 * origin.
 *
 * @param from - the URL that redirected to this one
 */
export function checkUrl(
  address: string,
  from: URL | undefined,
  diagnostics: Diagnostics,
): URL | undefined {
  const url = URL.canParse(address, from?.href) ? new URL(address, from?.href) : undefined;
  const refuse = (code: string, message: string, hint: string): undefined => {
    const file = from?.href ?? (url && hasCredentials(url) ? url.origin : address);
    diagnostics.add({ code, severity: "error", message, hint, file });
  };
  if (from) {
    if (url?.origin === from.origin && !hasCredentials(url)) return url;
    const target = url ? `"${url.origin}"` : "an invalid address";
    return refuse(
      "MCG7003",
      `Redirected to ${target}, which is not the host of the request.`,
      "If you trust it, pass the final address with --from.",
    );
  }
  if (url === undefined) return refuse("MCG0004", "This is not an address.", "Write https://…");
  if (hasCredentials(url)) {
    return refuse("MCG0004", "The address contains credentials.", "Leave them out of --from.");
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)))
    return url;
  return refuse("MCG0004", `"${url.protocol}" is not fetched.`, "Use an https address.");
}

function hasCredentials(url: URL): boolean {
  return url.username !== "" || url.password !== "";
}

/** Returns true if the host name is `localhost` or a loopback address. The name is not resolved. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|::1|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
}
