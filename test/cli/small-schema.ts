/** The smallest schema that is a protocol, with a tool call and a field to change. */
export const SMALL_SCHEMA = `/** Any request. */
export interface Request { method: string; params?: { [key: string]: unknown } }
export interface Notification { method: string; params?: { [key: string]: unknown } }
export interface Result { [key: string]: unknown }
export type RequestId = string | number;
export interface JSONRPCRequest extends Request { jsonrpc: "2.0"; id: RequestId }
export interface JSONRPCNotification extends Notification { jsonrpc: "2.0" }
export interface JSONRPCResponse { jsonrpc: "2.0"; id: RequestId; result: Result }
export interface JSONRPCError { jsonrpc: "2.0"; id: RequestId; error: { code: number; message: string } }
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError;
export type EmptyResult = Result;
export interface Implementation { name: string; version: string }
export interface ClientCapabilities { [key: string]: unknown }
export interface ServerCapabilities { tools?: { listChanged?: boolean } }
export interface InitializeRequest extends Request {
  method: "initialize";
  params: { protocolVersion: string; capabilities: ClientCapabilities; clientInfo: Implementation };
}
export interface InitializeResult extends Result {
  protocolVersion: string;
  capabilities: ServerCapabilities;
  serverInfo: Implementation;
}
/**
 * A tool.
 * It has a name.
 */
export interface Tool { name: string }
export interface CallToolRequest extends Request { method: "tools/call"; params: { name: string } }
export interface CallToolResult extends Result { text: string }
export type ClientRequest = InitializeRequest | CallToolRequest;
export type ServerResult = EmptyResult | InitializeResult | CallToolResult;
`;
