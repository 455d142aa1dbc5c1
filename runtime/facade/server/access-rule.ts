import type { HandlerContext } from "../../api/index.js";
import type { AccessRule } from "../../features/index.js";
import type { MakeContext } from "./facade-context.js";
import type { ServerContext } from "./context-types.js";
import type { AnyTypes, NeutralTypes } from "./neutral-types.js";

/** Members of a configuration that say who sees and uses what is registered. */
export interface AccessConfig<Types extends NeutralTypes> {
  /**
   * True for requests that see it. For others it does not exist: it is not listed, and its use is answered like that of
   * something unknown. Decide from `ctx.auth`; clients of several senders must not share what they have listed.
   */
  readonly visible?: ((ctx: ServerContext<Types>) => boolean) | undefined;
  /**
   * Scopes that its use needs, checked before the handler is called. Without them a request over HTTP is refused with 403
   * and a challenge that names them all (MCP: authorization, scope challenge handling). Over stdio there are no scopes.
   */
  readonly scopes?: readonly string[] | undefined;
}

/** Makes the rules of what is registered. */
export interface AccessOptions {
  readonly contextOf: MakeContext;
  /** True to hide what the sender lacks scopes for. */
  readonly hideForbidden: boolean;
}

/** Rule of something registered, from its configuration. */
export function accessRule(
  { visible, scopes }: AccessConfig<AnyTypes>,
  { contextOf, hideForbidden }: AccessOptions,
): AccessRule {
  if (visible !== undefined && typeof visible !== "function") return { visible };
  const hides = hideForbidden && scopes !== undefined;
  if (visible === undefined && !hides) return { scopes };
  return {
    scopes,
    visible: (context) =>
      (!hides || isPermitted(context, scopes)) && (visible?.(contextOf(context)) ?? true),
  };
}

function isPermitted(context: HandlerContext, scopes: readonly string[]): boolean {
  try {
    context.requireScopes(...scopes);
    return true;
  } catch {
    return false;
  }
}
