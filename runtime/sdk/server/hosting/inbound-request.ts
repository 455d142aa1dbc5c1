import { revisions } from "@mcp-codegen/universal";
import {
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageClassification,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
} from "../../shared/index.js";
import { isStatelessVersion } from "../request-era.js";

/** An HTTP request as read by its host. */
export interface InboundHttpRequest {
  httpMethod: string;
  protocolVersionHeader?: string;
  mcpMethodHeader?: string;
  mcpNameHeader?: string;
  /** Parsed body. */
  body?: unknown;
}

/** The reason why a request belongs to a session, or comes from a client that can only open one. */
export type InboundLegacyRouteReason =
  "http-method" | "initialize" | "no-claim" | "notification" | "batch" | "response";

/** A request for the server that handles older clients, which use sessions. */
export interface InboundLegacyRoute {
  kind: "legacy";
  reason: InboundLegacyRouteReason;
  /** The revision that the request names. */
  requestedVersion?: string;
}

/** Stateless message. */
export type InboundModernRoute = {
  kind: "modern";
  classification: MessageClassification;
} & (
  | { messageKind: "request"; message: JSONRPCRequest }
  | { messageKind: "notification"; message: JSONRPCNotification }
);

/** A request to reject, with the response's status and JSON-RPC error. */
export interface InboundLadderRejection {
  kind: "reject";
  /** The name of the check that failed. */
  rung: string;
  /** The identifier of the reason, within that check. */
  cell: string;
  httpStatus: number;
  code: number;
  message: string;
  data?: unknown;
  settled: boolean;
}

/** The classification of an inbound request. */
export type InboundClassificationOutcome =
  InboundLegacyRoute | InboundModernRoute | InboundLadderRejection;

const HEADER_MISMATCH = -32020;

interface Body {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: {
    readonly _meta?: Record<string, unknown>;
    readonly protocolVersion?: unknown;
  };
}

/**
 * Determines whether a request is stateless. Intended for hosts with a separate server for older clients. Never throws.
 */
export function classifyInboundRequest({
  httpMethod,
  protocolVersionHeader,
  mcpMethodHeader,
  body,
}: InboundHttpRequest): InboundClassificationOutcome {
  const [version, named] = [protocolVersionHeader?.trim(), mcpMethodHeader?.trim()];
  if (httpMethod.toUpperCase() !== "POST") return { kind: "legacy", reason: "http-method" };
  if (Array.isArray(body)) {
    const isLegacy = body.length > 0 && body.every((one) => claimOf(one as Body) === undefined);
    return isLegacy ? { kind: "legacy", reason: "batch" } : invalid("invalid-batch");
  }
  if (!isMessage(body)) return invalid("invalid-json-rpc-body");
  if (body.method === undefined) return { kind: "legacy", reason: "response" };
  const claim = claimOf(body) ?? (body.id === undefined ? version : undefined);
  if (!isStatelessVersion(claim)) return withoutClaim(body, claim, version);
  if (version !== undefined && version !== claim) {
    return mismatch("MCP-Protocol-Version", version, claim);
  }
  if (named !== undefined && named !== body.method)
    return mismatch("Mcp-Method", named, body.method);
  const classification: MessageClassification = { era: "modern", revision: claim as string };
  const message = body as JSONRPCNotification & JSONRPCRequest;
  const messageKind = body.id === undefined ? "notification" : "request";
  return { kind: "modern", messageKind, message, classification };
}

function claimOf(body: Body | null): unknown {
  return body?.params?._meta?.[PROTOCOL_VERSION_META_KEY];
}

function isMessage(body: unknown): body is Body {
  if (typeof body !== "object" || body === null) return false;
  const { jsonrpc, method } = body as { jsonrpc?: unknown; method?: unknown };
  const isAnswer = "result" in body || "error" in body;
  return jsonrpc === "2.0" && (typeof method === "string" || (method === undefined && isAnswer));
}

function withoutClaim(
  body: Body,
  claim: unknown,
  version: string | undefined,
): InboundClassificationOutcome {
  const requested = version === undefined ? {} : { requestedVersion: version };
  if (body.id === undefined) return { kind: "legacy", reason: "notification", ...requested };
  if (claim !== undefined) return unsupported(claim);
  if (body.method === "initialize") {
    const { protocolVersion = version } = body.params ?? {};
    const own = typeof protocolVersion === "string" ? { requestedVersion: protocolVersion } : {};
    return { kind: "legacy", reason: "initialize", ...own };
  }
  if (!isStatelessVersion(version)) return { kind: "legacy", reason: "no-claim", ...requested };
  const message = `Bad Request: the request names ${version} in its header, but not in _meta`;
  return rejected("envelope", "missing-envelope", ProtocolErrorCode.InvalidParams, message);
}

function unsupported(requested: unknown): InboundLadderRejection {
  const code = ProtocolErrorCode.UnsupportedProtocolVersion;
  const supported = revisions.map(({ id }) => id).filter((id) => isStatelessVersion(id));
  const message = `Unsupported protocol version: ${String(requested)}`;
  const rejection = rejected("era-classification", "unsupported-version", code, message);
  return { ...rejection, data: { supported, requested } };
}

function mismatch(header: string, value: string, body: unknown): InboundLadderRejection {
  const message = `Bad Request: ${header} is ${value}, the body has ${String(body)}`;
  return rejected("standard-header-validation", "header-mismatch", HEADER_MISMATCH, message);
}

function invalid(cell: string): InboundLadderRejection {
  const message = "Bad Request: the request body is not a valid JSON-RPC message";
  return rejected("jsonrpc-shape", cell, ProtocolErrorCode.InvalidRequest, message);
}

function rejected(
  rung: string,
  cell: string,
  code: number,
  message: string,
): InboundLadderRejection {
  return { kind: "reject", rung, cell, httpStatus: 400, code, message, settled: true };
}
