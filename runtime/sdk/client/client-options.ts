import type {
  ClientCapabilities,
  DiscoverResult,
  jsonSchemaValidator,
  ListChangedHandlers,
  ProtocolOptions,
  RequestOptions,
  Tool,
} from "../shared/index.js";
import type { ResponseCacheStore } from "./response-cache-store.js";

/** The limits for detecting which kind of conversation a server supports. */
export interface VersionNegotiationProbeOptions {
  /** The time to wait for the server's response, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Accepted but has no effect: the request is sent once. */
  maxRetries?: number | undefined;
}

/**
 * The kinds of conversation that a client accepts: only sessions (`legacy`), whichever the server supports (`auto`), or
 * exactly one revision.
 */
export type VersionNegotiationMode = "legacy" | "auto" | { pin: string };

/** Controls how a client negotiates a revision. */
export interface VersionNegotiationOptions {
  /** The kinds of conversation that the client accepts. Default: `legacy`. */
  mode?: VersionNegotiationMode | undefined;
  probe?: VersionNegotiationProbeOptions | undefined;
}

/** Controls how requests that arrive inside results are handled. */
export interface InputRequiredOptions {
  /** False if callers handle `input_required` results themselves. Default: true. */
  autoFulfill?: boolean | undefined;
  /** The maximum number of rounds per request. */
  maxRounds?: number | undefined;
}

/** The options of a client. */
export type ClientOptions = ProtocolOptions & {
  capabilities?: ClientCapabilities | undefined;
  versionNegotiation?: VersionNegotiationOptions | undefined;
  inputRequired?: InputRequiredOptions | undefined;
  /** The callbacks for list-change notifications. */
  listChanged?: ListChangedHandlers | undefined;
  /** The maximum number of pages to fetch for one list. Default: 64. */
  listMaxPages?: number | undefined;
  /** The compiler for tools' output schemas. Default: this package's validator. */
  jsonSchemaValidator?: jsonSchemaValidator | undefined;
  /** The account for which results are cached. */
  cachePartition?: string | undefined;
  /** The store for cached results, which several clients can share. Default: an in-memory store per client. */
  responseCacheStore?: ResponseCacheStore | undefined;
  /** The time, in milliseconds, for which results are cached if the server does not state a lifetime. Default: 0. */
  defaultCacheTtlMs?: number | undefined;
};

/** The result of an earlier discovery, or the information that the server uses sessions. */
export type PriorDiscovery = { kind: "modern"; discover: DiscoverResult } | { kind: "legacy" };

/** Options of `connect`. */
export type ConnectOptions = RequestOptions & {
  /** The result of an earlier discovery. It lets the client connect to a stateless server without sending a request. */
  prior?: PriorDiscovery | undefined;
};

/**
 * Controls the use of the result cache: `refresh` always sends the request and stores the result; `bypass` neither
 * reads nor writes the cache.
 */
export type CacheMode = "use" | "refresh" | "bypass";

/** The options of a request whose result can be cached. */
export type CacheableRequestOptions = RequestOptions & { cacheMode?: CacheMode | undefined };

/** The options of a tool call. */
export type CallToolRequestOptions = RequestOptions & {
  /**
   * The tool's definition. It states which arguments are mirrored in headers, and contains the schema of the tool's
   * results.
   */
  toolDefinition?: Tool | undefined;
};
