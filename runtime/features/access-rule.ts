import type { HandlerContext } from "../api/index.js";

/** Rule for who sees and uses something registered. */
export interface AccessRule<Context = HandlerContext> {
  /**
   * True for requests that see it. For others it does not exist: it is not listed, and its use is answered like that of
   * something unknown. Called for each such request, so decide from what the context has: `auth`, `meta`, `header`.
   */
  readonly visible?: ((context: Context) => boolean) | undefined;
  /**
   * Scopes that its use needs. Without them a request is refused with status 403 and a challenge that names them all; it
   * stays listed, so that clients can ask for more.
   */
  readonly scopes?: readonly string[] | undefined;
}

/** @throws TypeError for a rule that is none */
export function checkedRule<Context>(
  { visible, scopes }: AccessRule<Context>,
  what: string,
): AccessRule<Context> | undefined {
  if (visible !== undefined && typeof visible !== "function") {
    throw new TypeError(`visible of ${what} is no function`);
  }
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every(isScope))) {
    throw new TypeError(`scopes of ${what} is no list of scopes`);
  }
  return visible || scopes?.length ? { visible, scopes } : undefined;
}

/** True for a scope (RFC 6749, section 3.3). */
function isScope(value: unknown): boolean {
  return typeof value === "string" && /^[!#-[\]-~]+$/.test(value);
}
