import { quote } from "../../wire/index.js";
import { RedirectError } from "./errors.js";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Statuses after which a request keeps its method and its body. */
const KEEP_METHOD: ReadonlySet<number> = new Set([307, 308]);

export const MOST_REDIRECTS = 5;

export function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || REDIRECTS.has(status);
}

/**
 * Target of a redirected request. Redirects stay within the origin, so that credentials reach no
 * other one.
 * @throws RedirectError when it must not go on
 */
export function redirectTarget(response: Response, method: string, from: URL): URL {
  const { status } = response;
  const location = response.headers.get("location") ?? undefined;
  const refuse = (why: string): RedirectError =>
    new RedirectError(`${method} ${from.origin}${from.pathname} was redirected ${why}`, location, {
      status,
    });
  if (location === undefined) throw refuse("to a place that is not known here: use its final URL");
  let target: URL;
  try {
    target = new URL(location, from);
  } catch {
    throw refuse(`to ${quote(location)}, which is no URL`);
  }
  if (target.origin !== from.origin || target.username !== "" || target.password !== "") {
    throw refuse(`to ${quote(location)}, another origin: if you trust it, use that URL`);
  }
  if (method !== "GET" && !KEEP_METHOD.has(status)) {
    throw refuse(`with status ${status}, which would make a GET of it: use ${quote(location)}`);
  }
  return target;
}
