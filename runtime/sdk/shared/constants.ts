import { revisionWithoutHeader, sessionRevisions } from "@mcp-codegen/universal/common/versions";
import type {
  ClientCapabilities,
  Implementation,
  LoggingLevel,
  ProgressToken,
  RelatedTaskMetadata,
} from "@mcp-codegen/universal/common/types";

/** The newest revision with a handshake. */
export const LATEST_PROTOCOL_VERSION: string = sessionRevisions[0]!;
/** The revision that is assumed for an HTTP request that does not name one. */
export const DEFAULT_NEGOTIATED_PROTOCOL_VERSION: string = revisionWithoutHeader!;
/** The revisions with a handshake, newest first. */
export const SUPPORTED_PROTOCOL_VERSIONS: string[] = /* @__PURE__ */ Array.from(sessionRevisions);
/** The default request timeout, in milliseconds. */
export const DEFAULT_REQUEST_TIMEOUT_MSEC = 60_000;
/** The maximum length of a line on standard input, in bytes. */
export const STDIO_DEFAULT_MAX_BUFFER_SIZE: number = 10 * 1024 * 1024;

export const JSONRPC_VERSION = "2.0";
export {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
} from "@mcp-codegen/runtime";

export const RELATED_TASK_META_KEY = "io.modelcontextprotocol/related-task";
export const PROTOCOL_VERSION_META_KEY = "io.modelcontextprotocol/protocolVersion";
export const CLIENT_INFO_META_KEY = "io.modelcontextprotocol/clientInfo";
export const SERVER_INFO_META_KEY = "io.modelcontextprotocol/serverInfo";
export const CLIENT_CAPABILITIES_META_KEY = "io.modelcontextprotocol/clientCapabilities";
export const SUBSCRIPTION_ID_META_KEY = "io.modelcontextprotocol/subscriptionId";
export const LOG_LEVEL_META_KEY = "io.modelcontextprotocol/logLevel";
export const TRACEPARENT_META_KEY = "traceparent";
export const TRACESTATE_META_KEY = "tracestate";
export const BAGGAGE_META_KEY = "baggage";

/** The `_meta` of a request. */
export interface RequestMeta {
  progressToken?: ProgressToken;
  "io.modelcontextprotocol/related-task"?: RelatedTaskMetadata;
  [name: string]: unknown;
}

/** The protocol-defined members of a request's `_meta` in stateless conversations. */
export type RequestMetaEnvelope = {
  "io.modelcontextprotocol/protocolVersion": string;
  "io.modelcontextprotocol/clientInfo"?: Implementation;
  "io.modelcontextprotocol/clientCapabilities": ClientCapabilities;
  "io.modelcontextprotocol/logLevel"?: LoggingLevel;
};
