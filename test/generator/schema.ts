import { Diagnostics } from "../../generator/diagnostics.js";
import type { Facts } from "../../generator/link/facts.js";
import { link } from "../../generator/link/link.js";
import type { Protocol } from "../../generator/link/protocol.js";
import type { Source } from "../../generator/load/source.js";
import { model } from "../../generator/model/model.js";
import type { Declaration } from "../../generator/model/schema-model.js";
import { plan } from "../../generator/plan/plan.js";
import type { RevisionPlan } from "../../generator/plan/revision-plan.js";

/** Declarations that every protocol needs: an envelope, and a way to open a conversation. */
const MESSAGE = "JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError";
const ENVELOPE = `
export interface Request { method: string; params?: { [key: string]: any } }
export interface Notification { method: string; params?: { [key: string]: any } }
export interface Result { [key: string]: unknown }
export type RequestId = string | number;
export interface JSONRPCRequest extends Request { jsonrpc: "2.0"; id: RequestId }
export interface JSONRPCNotification extends Notification { jsonrpc: "2.0" }
export interface JSONRPCResponse { jsonrpc: "2.0"; id: RequestId; result: Result }
export interface JSONRPCError { jsonrpc: "2.0"; id: RequestId; error: { code: number; message: string } }
export type EmptyResult = Result;
export interface Implementation { name: string; version: string }
export interface ClientCapabilities { [key: string]: unknown }
export interface ServerCapabilities { [key: string]: unknown }
export interface InitializeRequest extends Request {
  method: "initialize";
  params: { protocolVersion: string; capabilities: ClientCapabilities; clientInfo: Implementation };
}
export interface InitializeResult extends Result { protocolVersion: string }
`;

/** Messages to add to the smallest protocol; the unions default to the handshake alone. */
export interface Messages {
  /** Members of the message union. */
  readonly message?: string;
  readonly declarations: string;
  readonly clientRequests?: readonly string[];
  readonly serverRequests?: readonly string[];
  readonly clientNotifications?: readonly string[];
  readonly serverNotifications?: readonly string[];
  readonly clientResults?: readonly string[];
  readonly serverResults?: readonly string[];
}

function union(name: string, types: readonly string[] = []): string {
  return types.length === 0 ? "" : `export type ${name} = ${types.join(" | ")};\n`;
}

/** A whole schema of which only a few lines matter. */
export function schemaWith(messages: Messages): string {
  return [
    messages.declarations,
    union("JSONRPCMessage", [messages.message ?? MESSAGE]),
    ENVELOPE,
    union("ClientRequest", ["InitializeRequest", ...(messages.clientRequests ?? [])]),
    union("ServerRequest", messages.serverRequests),
    union("ClientNotification", messages.clientNotifications),
    union("ServerNotification", messages.serverNotifications),
    union("ClientResult", ["EmptyResult", ...(messages.clientResults ?? [])]),
    union("ServerResult", ["EmptyResult", "InitializeResult", ...(messages.serverResults ?? [])]),
  ].join("\n");
}

export function sourceOf(text: string): Source {
  return { file: "schema.ts", text, sha256: "0123456789abcdef".repeat(4) };
}

export function declarationsOf(text: string): readonly Declaration[] {
  const diagnostics = new Diagnostics();
  const { declarations } = model(sourceOf(text), diagnostics);
  refuseErrors(diagnostics);
  return declarations;
}

export function protocolOf(text: string, facts?: Facts): Protocol {
  const diagnostics = new Diagnostics();
  const revision = facts?.revision ?? "2099-01-01";
  const schema = model(sourceOf(text), diagnostics);
  const protocol = link(schema, { revision, ...(facts && { facts }) }, diagnostics);
  refuseErrors(diagnostics);
  return protocol!;
}

export function planOf(text: string, diagnostics = new Diagnostics(), facts?: Facts): RevisionPlan {
  const options = { file: "schema.ts", version: "0.1.0", runtime: "@mcp-codegen/runtime/codegen" };
  return plan(protocolOf(text, facts), options, diagnostics);
}

function refuseErrors({ items }: Diagnostics): void {
  const errors = items.filter(({ severity }) => severity === "error");
  if (errors.length > 0)
    throw new Error(errors.map(({ code, message }) => `${code} ${message}`).join("\n"));
}
