import { InsecureTokenEndpointError } from "./login-errors.js";

type Send<Target> = (url: Target, init: RequestInit) => Promise<Response>;

const FORM = "application/x-www-form-urlencoded";

/**
 * `fetch` that sends no credentials to a token endpoint without TLS, except on this machine.
 * @param refused - called with the OAuth error code of a refusal
 */
export function withTls<Target extends string | URL = URL>(
  send: Send<Target> | undefined,
  refused?: (code: string) => Promise<void>,
): Send<Target> {
  return async (url, init) => {
    const type = new Headers(init.headers).get("content-type") ?? "";
    const isForToken = type.startsWith(FORM);
    if (isForToken) assertSecureTokenEndpoint(url);
    const response = await (send ? send(url, init) : fetch(url, init));
    if (isForToken && refused && response.status >= 400)
      await refused(await codeIn(response.clone()));
    return response;
  };
}

async function codeIn(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: unknown };
    return String(error);
  } catch {
    return "";
  }
}

/** @throws InsecureTokenEndpointError if the URL is neither `https:` nor on this machine */
export function assertSecureTokenEndpoint(tokenEndpoint: string | URL): void {
  const { protocol, hostname } = new URL(tokenEndpoint);
  const isLocal = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== "https:" && !isLocal) throw new InsecureTokenEndpointError(tokenEndpoint);
}
