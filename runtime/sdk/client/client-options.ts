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

/** Limits of finding out which kind of conversation a server has. */
export interface VersionNegotiationProbeOptions {
  /** Milliseconds to wait for the server's answer. */
  timeoutMs?: number | undefined;
  /** Taken and without effect: the question is asked once. */
  maxRetries?: number | undefined;
}

/** Kinds of conversation that a client seeks: sessions only, whatever the server has, or exactly one revision. */
export type VersionNegotiationMode = "legacy" | "auto" | { pin: string };

/** Way in which a client agrees on a revision. */
export interface VersionNegotiationOptions {
  /** `legacy` unless given. */
  mode?: VersionNegotiationMode | undefined;
  probe?: VersionNegotiationProbeOptions | undefined;
}

/** Answers to questions that come inside results. */
export interface InputRequiredOptions {
  /** False when callers answer `input_required` results themselves; true unless given. */
  autoFulfill?: boolean | undefined;
  /** Rounds of one request. */
  maxRounds?: number | undefined;
}

/** Options of a client. */
export type ClientOptions = ProtocolOptions & {
  capabilities?: ClientCapabilities | undefined;
  versionNegotiation?: VersionNegotiationOptions | undefined;
  inputRequired?: InputRequiredOptions | undefined;
  /** Reactions to changed lists. */
  listChanged?: ListChangedHandlers | undefined;
  /** Pages of one list that are fetched at most; 64 unless given. */
  listMaxPages?: number | undefined;
  /** Taken and without effect: schemas are checked by the checks of this project. */
  jsonSchemaValidator?: jsonSchemaValidator | undefined;
  /** Names the account that results are cached for. */
  cachePartition?: string | undefined;
  /** Store of cached results, for several clients. Default: each client has one of its own, in memory. */
  responseCacheStore?: ResponseCacheStore | undefined;
  /** Milliseconds for which results are cached of which the server does not say how long they are fresh; 0 unless given. */
  defaultCacheTtlMs?: number | undefined;
};

/** Result of a discovery that was made before, or the knowledge that the server has sessions. */
export type PriorDiscovery = { kind: "modern"; discover: DiscoverResult } | { kind: "legacy" };

/** Options of connecting. */
export type ConnectOptions = RequestOptions & {
  /** Makes connecting to a stateless server need no request. */
  prior?: PriorDiscovery | undefined;
};

/** Use of the cache of results: `refresh` asks the server, `bypass` leaves the cache alone. */
export type CacheMode = "use" | "refresh" | "bypass";

/** Options of a request whose result can be cached. */
export type CacheableRequestOptions = RequestOptions & { cacheMode?: CacheMode | undefined };

/** Options of calling a tool. */
export type CallToolRequestOptions = RequestOptions & {
  /** Definition of the tool, for what it has a client repeat in header fields and promises of its results. */
  toolDefinition?: Tool | undefined;
};
