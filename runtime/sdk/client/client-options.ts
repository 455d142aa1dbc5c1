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

/** Limits for detecting which kind of conversation a server supports. */
export interface VersionNegotiationProbeOptions {
  /** Milliseconds to wait for the server's response. */
  timeoutMs?: number | undefined;
  /** Accepted but has no effect: the request is sent once. */
  maxRetries?: number | undefined;
}

/**
 * Kinds of conversation that a client accepts: only sessions (`legacy`), whichever the server supports (`auto`), or
 * exactly one revision.
 */
export type VersionNegotiationMode = "legacy" | "auto" | { pin: string };

/** Strategy by which a client negotiates a revision. */
export interface VersionNegotiationOptions {
  /** Kinds of conversation that the client accepts. Default: `legacy`. */
  mode?: VersionNegotiationMode | undefined;
  probe?: VersionNegotiationProbeOptions | undefined;
}

/** Handling of requests that arrive inside results. */
export interface InputRequiredOptions {
  /** False if callers handle `input_required` results themselves. Default: true. */
  autoFulfill?: boolean | undefined;
  /** Maximum number of rounds of one request. */
  maxRounds?: number | undefined;
}

/** Options of a client. */
export type ClientOptions = ProtocolOptions & {
  capabilities?: ClientCapabilities | undefined;
  versionNegotiation?: VersionNegotiationOptions | undefined;
  inputRequired?: InputRequiredOptions | undefined;
  /** Callbacks for list change notifications. */
  listChanged?: ListChangedHandlers | undefined;
  /** Maximum number of pages fetched for one list. Default: 64. */
  listMaxPages?: number | undefined;
  /** Compiler of the output schemas of tools. Default: the validator of this package. */
  jsonSchemaValidator?: jsonSchemaValidator | undefined;
  /** Account for which results are cached. */
  cachePartition?: string | undefined;
  /** Store for cached results, which several clients can share. Default: an in-memory store per client. */
  responseCacheStore?: ResponseCacheStore | undefined;
  /** Milliseconds for which results are cached if the server does not state a lifetime. Default: 0. */
  defaultCacheTtlMs?: number | undefined;
};

/** Result of an earlier discovery, or the information that the server uses sessions. */
export type PriorDiscovery = { kind: "modern"; discover: DiscoverResult } | { kind: "legacy" };

/** Options of `connect`. */
export type ConnectOptions = RequestOptions & {
  /** Result of an earlier discovery. With it, the client connects to a stateless server without sending a request. */
  prior?: PriorDiscovery | undefined;
};

/**
 * Use of the result cache: `refresh` sends the request in any case and stores the result, `bypass` neither reads
 * nor writes the cache.
 */
export type CacheMode = "use" | "refresh" | "bypass";

/** Options of a request whose result can be cached. */
export type CacheableRequestOptions = RequestOptions & { cacheMode?: CacheMode | undefined };

/** Options of a tool call. */
export type CallToolRequestOptions = RequestOptions & {
  /** Definition of the tool: states which arguments are mirrored in headers, and the schema of its results. */
  toolDefinition?: Tool | undefined;
};
