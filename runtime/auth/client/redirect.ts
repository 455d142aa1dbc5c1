import { authorizationCode } from "./authorization-code.js";
import type { Authorize } from "./authorize.js";
import { OAuthError } from "./errors.js";
import { quoted } from "./text.js";

export interface RedirectOptions {
  /** URL of this application that the user comes back to: `https:`, or `http:` on this machine, or a scheme of its own. */
  readonly redirectUri: string;
  /**
   * Sends the user to a URL. Returns the URL that the user came back to; or undefined where another request or page
   * sees it, and gives it to `finish`: the call that needed the token fails with a `RedirectPendingError` then.
   */
  readonly visit: (
    url: URL,
    signal: AbortSignal,
  ) => URL | string | undefined | void | Promise<URL | string | undefined | void>;
}

/**
 * Lets the application itself send the user to the authorization server.
 * @throws OAuthError for a redirect URI that others can read along
 */
export function redirect({ redirectUri, visit }: RedirectOptions): Authorize {
  checkRedirectUri(redirectUri);
  const go = async (url: URL, _state: string, signal: AbortSignal): Promise<URL | undefined> => {
    const back = await visit(url, signal);
    return back ? new URL(back) : undefined;
  };
  return authorizationCode(() => ({ redirectUri, isShared: true, go, close: () => {} }));
}

function checkRedirectUri(given: string): void {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isOwnScheme = url !== undefined && /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]*:$/.test(url.protocol);
  const isLocal =
    url?.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url?.hash === "" && (url.protocol === "https:" || isLocal || isOwnScheme)) return;
  throw new OAuthError("authorization", `The redirect URI is ${quoted(given)}`, {
    expected: `https:, or http: on this machine, or a scheme of the application such as "com.example.app:"`,
  });
}
