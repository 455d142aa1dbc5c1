import type { Revision } from "@mcp-codegen/runtime";
import { type McpServerOptions, revisions } from "@mcp-codegen/universal";
import { secretOf } from "./request-state-codec.js";
import type { ServerContext } from "./server-context.js";
import type { ProtocolOptions, ServerCapabilities, jsonSchemaValidator } from "../shared/index.js";

/** Time and scope for which a result may be cached. */
export interface CacheHint {
  ttlMs?: number | undefined;
  cacheScope?: "public" | "private" | undefined;
}

/** Options of a server: those of the official SDK, and all of ours. */
export type ServerOptions = ProtocolOptions & {
  /** Capabilities beside those that registered things imply. */
  capabilities?: ServerCapabilities | undefined;
  /** Instructions for the client's model. */
  instructions?: string | undefined;
  /** Freshness of results by method; `freshness` of ours. */
  cacheHints?: Readonly<Record<string, CacheHint | undefined>> | undefined;
  /** Taken and without effect: schemas are checked by the checks of this project. */
  jsonSchemaValidator?: jsonSchemaValidator | undefined;
  /** Limits of the rounds in which questions inside results are answered. */
  inputRequired?:
    { maxRounds?: number; roundTimeoutMs?: number; legacyShim?: boolean | undefined } | undefined;
  /**
   * Reads the state that a handler remembered, before it is called again. What it gives is what the handler gets; when it
   * throws, the request is refused. The state is always sealed, so that clients can neither read nor change it.
   */
  requestState?: { verify?: (state: string, ctx: ServerContext) => unknown } | undefined;
} & Omit<McpServerOptions, "capabilities" | "instructions" | "onerror">;

/** Options of ours whose secret for the state of rounds can still be set. */
export interface SealedOptions extends McpServerOptions {
  readonly rounds: { keys?: readonly Uint8Array[]; maxRounds?: number };
}

/** Options of ours for those of the official SDK, with its behaviour where that differs silently. */
export function definitionOptions(
  options: ServerOptions,
  capabilities: object,
  onerror: (error: Error) => void,
): SealedOptions {
  const {
    cacheHints,
    inputRequired = {},
    supportedProtocolVersions: versions,
    enforceStrictCapabilities: _strict,
    debouncedNotificationMethods: _debounced,
    jsonSchemaValidator: _validator,
    requestState,
    ...own
  } = options;
  const { maxRounds, roundTimeoutMs } = inputRequired;
  const secret = secretOf(requestState?.verify);
  const rounds = {
    ...(maxRounds === undefined ? {} : { maxRounds }),
    ...(secret ? { keys: [secret] } : {}),
  };
  return {
    tellErrors: true,
    unaskedLogs: true,
    structuredText: "values",
    logging: { initialLevel: "debug", limitRate: false },
    ...(versions ? { revisions: revisions.filter((one) => isServed(one, versions)) } : {}),
    ...(cacheHints ? { freshness: definedEntries(cacheHints) } : {}),
    ...(roundTimeoutMs === undefined ? {} : { askTimeout: roundTimeoutMs }),
    ...own,
    rounds: { ...rounds, ...own.rounds } as SealedOptions["rounds"],
    capabilities: capabilities as SealedOptions["capabilities"],
    onerror,
  };
}

/** Sessions are of the revisions that the program names; those without sessions are served beside them, as by the SDK. */
function isServed({ id, traits }: Revision, versions: readonly string[]): boolean {
  return traits.lifecycle === "discover" || versions.includes(id);
}

function definedEntries<Value>(
  record: Readonly<Record<string, Value | undefined>>,
): Record<string, Value> {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, Value>;
}
