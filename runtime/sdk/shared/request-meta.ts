import type {
  ClientCapabilities,
  Implementation,
  LoggingLevel,
  ProgressToken,
  RelatedTaskMetadata,
} from "./message-types.js";

/** `_meta` of a request. */
export interface RequestMeta {
  progressToken?: ProgressToken;
  "io.modelcontextprotocol/related-task"?: RelatedTaskMetadata;
  [name: string]: unknown;
}

/** Entries of a request's `_meta` that belong to the protocol, in stateless conversations. */
export type RequestMetaEnvelope = {
  "io.modelcontextprotocol/protocolVersion": string;
  "io.modelcontextprotocol/clientInfo"?: Implementation;
  "io.modelcontextprotocol/clientCapabilities": ClientCapabilities;
  "io.modelcontextprotocol/logLevel"?: LoggingLevel;
};
