import type { Revision } from "@mcp-codegen/runtime";
import { type McpServerOptions, revisions } from "@mcp-codegen/universal";
import { messageOf } from "./error-messages.js";
import { secretOf } from "./request-state-codec.js";
import type { ServerContext } from "./server-context.js";
import type { ProtocolOptions, ServerCapabilities, jsonSchemaValidator } from "../shared/index.js";

/** The time for which a result may be cached, and the scope of the cache. */
export interface CacheHint {
  ttlMs?: number | undefined;
  cacheScope?: "public" | "private" | undefined;
}

/** The options of a server: those of the official SDK, plus all options of the runtime. */
export type ServerOptions = ProtocolOptions & {
  /** Capabilities to declare in addition to those that registrations imply. */
  capabilities?: ServerCapabilities | undefined;
  /** Instructions for the client's model. */
  instructions?: string | undefined;
  /** Maps methods to the time for which their results may be cached. Corresponds to the runtime option `freshness`. */
  cacheHints?: Readonly<Record<string, CacheHint | undefined>> | undefined;
  /** Accepted but has no effect: this project validates schemas itself. */
  jsonSchemaValidator?: jsonSchemaValidator | undefined;
  /** Limits on rounds, in which requests inside results are answered. */
  inputRequired?:
    { maxRounds?: number; roundTimeoutMs?: number; legacyShim?: boolean | undefined } | undefined;
  /**
   * Decodes a handler's state before the handler is called again; the handler receives the return value. If this
   * function throws, the request is rejected. The state is always sealed, so clients can neither read nor change it.
   */
  requestState?: { verify?: (state: string, ctx: ServerContext) => unknown } | undefined;
  /**
   * True to send clients the messages of errors that handlers throw: for tools as results with `isError`, for other
   * handlers as -32603 errors. Default: true, as in the SDK.
   */
  tellErrors?: boolean | undefined;
} & Omit<McpServerOptions, "capabilities" | "instructions" | "onerror">;

/** Runtime options in which the secret for the state of rounds can still be set. */
export interface SealedOptions extends McpServerOptions {
  readonly rounds: { keys?: readonly Uint8Array[]; maxRounds?: number };
}

/** Converts the official SDK's options to the runtime's. Where the defaults differ, the SDK's apply. */
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
    tellErrors = true,
    errorText = tellErrors ? messageOf : undefined,
    ...own
  } = options;
  const { maxRounds, roundTimeoutMs } = inputRequired;
  const secret = secretOf(requestState?.verify);
  const rounds = {
    ...(maxRounds === undefined ? {} : { maxRounds }),
    ...(secret ? { keys: [secret] } : {}),
  };
  return {
    ignoreUnknown: true,
    errorText,
    unaskedLogs: true,
    subscriptions: { unknown: true },
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

/**
 * True if the revision is served. The program chooses which session revisions to serve, but stateless revisions are
 * always served, as in the SDK.
 */
function isServed({ id, traits }: Revision, versions: readonly string[]): boolean {
  return traits.lifecycle === "discover" || versions.includes(id);
}

function definedEntries<Value>(
  record: Readonly<Record<string, Value | undefined>>,
): Record<string, Value> {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, Value>;
}
