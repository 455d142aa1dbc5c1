import type { Revision } from "@mcp-codegen/runtime";
import { type McpServerOptions, revisions } from "@mcp-codegen/universal";
import { messageOf } from "./error-messages.js";
import { secretOf } from "./request-state-codec.js";
import type { ServerContext } from "./server-context.js";
import type { ProtocolOptions, ServerCapabilities, jsonSchemaValidator } from "../shared/index.js";

/** Time for which a result may be cached, and for whom. */
export interface CacheHint {
  ttlMs?: number | undefined;
  cacheScope?: "public" | "private" | undefined;
}

/** Options of a server: those of the official SDK, and all options of the runtime. */
export type ServerOptions = ProtocolOptions & {
  /** Capabilities in addition to those that registrations imply. */
  capabilities?: ServerCapabilities | undefined;
  /** Instructions for the client's model. */
  instructions?: string | undefined;
  /** Time for which results may be cached, by method; the option `freshness` of the runtime. */
  cacheHints?: Readonly<Record<string, CacheHint | undefined>> | undefined;
  /** Accepted but has no effect: this project validates schemas itself. */
  jsonSchemaValidator?: jsonSchemaValidator | undefined;
  /** Limits of rounds, in which requests inside results are answered. */
  inputRequired?:
    { maxRounds?: number; roundTimeoutMs?: number; legacyShim?: boolean | undefined } | undefined;
  /**
   * Decodes the state of a handler before the handler is called again; the handler receives the return value. If
   * this function throws, the request is rejected. The state is always sealed, so clients can neither read nor
   * change it.
   */
  requestState?: { verify?: (state: string, ctx: ServerContext) => unknown } | undefined;
  /**
   * True to send clients the messages of errors that handlers throw: tools as results with `isError`, other
   * handlers as errors -32603. Default: true, as in the SDK.
   */
  tellErrors?: boolean | undefined;
} & Omit<McpServerOptions, "capabilities" | "instructions" | "onerror">;

/** Runtime options in which the secret for the state of rounds can still be set. */
export interface SealedOptions extends McpServerOptions {
  readonly rounds: { keys?: readonly Uint8Array[]; maxRounds?: number };
}

/**
 * Converts the options of the official SDK to those of the runtime. Where the defaults differ, those of the SDK
 * apply.
 */
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
 * True for a revision that is served. The program chooses the revisions of sessions, but stateless revisions are
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
