import type { AnyMiddleware, CustomHandler, Feature, SomeMiddleware } from "../../api/index.js";
import { ServerBase, type WrappingHandler } from "../../engine/index.js";
import { serverOfAnyKind } from "../../negotiation/index.js";
import type { OnLoss, Revision } from "../../wire/index.js";
import type { AnyTypes, NeutralTypes } from "../neutral-types.js";
import { paramsCheck } from "../project/params-check.js";
import type { LowLevelServer, McpServerOptions } from "./mcp-server-options.js";

export interface Assembly<Types extends NeutralTypes = AnyTypes> {
  readonly revisions: readonly Revision[];
  readonly info: Types["implementation"];
  readonly options: McpServerOptions<Types>;
  readonly handlers: ReadonlyMap<string, WrappingHandler>;
  readonly features: readonly Feature[];
  readonly custom: readonly CustomHandler[];
  readonly middleware: readonly (AnyMiddleware | SomeMiddleware)[];
  /**
   * Callbacks that replace those from the options, because observers also receive the errors and losses. Undefined if
   * there are no observers.
   */
  readonly observed:
    { readonly onerror: (error: Error) => void; readonly onloss: OnLoss } | undefined;
  readonly registrations: Registrations;
}

export interface Registrations {
  readonly extensions: ReadonlyMap<string, unknown>;
  /**
   * True if a tool has arguments that HTTP requests mirror in header fields. The arguments and header fields are
   * compared before a handler is called.
   */
  readonly repeatsArguments: boolean;
}

export function lowLevelServer<Types extends NeutralTypes>(
  assembly: Assembly<Types>,
): LowLevelServer<Types> {
  const { revisions, info, handlers, features, custom, middleware, observed } = assembly;
  const { extensions: _, ...options } = assembly.options;
  const all = {
    ...options,
    middleware: middleware as readonly SomeMiddleware[],
    features: [...features, paramsCheck()],
    custom,
    ...observed,
  };
  return new ServerBase(revisions, info, Object.fromEntries(handlers), all, serverOfAnyKind);
}
