import { InsecureTokenEndpointError } from "./login-errors.js";

type Send<Target> = (url: Target, init: RequestInit) => Promise<Response>;

const FORM = "application/x-www-form-urlencoded";

/** Returns a `fetch` that sends no credentials to a token endpoint without TLS, except on this machine. */
export function withTls<Target extends string | URL = URL>(
  send: Send<Target> | undefined,
): Send<Target> {
  return async (url, init) => {
    const type = new Headers(init.headers).get("content-type") ?? "";
    if (type.startsWith(FORM)) assertSecureTokenEndpoint(url);
    return send ? send(url, init) : fetch(url, init);
  };
}

/**
 * Validates the URL of a token endpoint.
 * @throws InsecureTokenEndpointError if the URL is neither `https:` nor on this machine
 */
export function assertSecureTokenEndpoint(tokenEndpoint: string | URL): void {
  const { protocol, hostname } = new URL(tokenEndpoint);
  const isLocal = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== "https:" && !isLocal) throw new InsecureTokenEndpointError(tokenEndpoint);
}
