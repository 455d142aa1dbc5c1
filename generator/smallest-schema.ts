/** The unions that a handshake needs, each with the member that it must contain. */
export const HANDSHAKE_UNIONS = {
  ClientRequest: "InitializeRequest",
  ClientNotification: "InitializedNotification",
  ServerResult: "InitializeResult",
} as const;

/** The smallest valid schema's declarations, by name. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  Request: "export interface Request { method: string; params?: { [key: string]: any } }",
  Notification: "export interface Notification { method: string; params?: { [key: string]: any } }",
  Result: "export interface Result { [key: string]: unknown }",
  EmptyResult: "export type EmptyResult = Result;",
  JSONRPCRequest:
    'export interface JSONRPCRequest extends Request { jsonrpc: "2.0"; id: string | number }',
  JSONRPCNotification:
    'export interface JSONRPCNotification extends Notification { jsonrpc: "2.0" }',
  JSONRPCResponse:
    'export interface JSONRPCResponse { jsonrpc: "2.0"; id: string | number; result: Result }',
  JSONRPCError: `export interface JSONRPCError {
  jsonrpc: "2.0";
  id: string | number;
  error: { code: number; message: string; data?: unknown };
}`,
  JSONRPCMessage:
    "export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError;",
  Implementation: "export interface Implementation { name: string; version: string }",
  ClientCapabilities: "export interface ClientCapabilities {}",
  ServerCapabilities: "export interface ServerCapabilities {}",
  InitializeRequest: `export interface InitializeRequest extends Request {
  method: "initialize";
  params: { protocolVersion: string; capabilities: ClientCapabilities; clientInfo: Implementation };
}`,
  InitializeResult: `export interface InitializeResult extends Result {
  protocolVersion: string;
  capabilities: ServerCapabilities;
  serverInfo: Implementation;
}`,
  InitializedNotification: `export interface InitializedNotification extends Notification {
  method: "notifications/initialized";
}`,
  ...Object.fromEntries(
    Object.entries(HANDSHAKE_UNIONS).map(([union, arm]) => [union, unionLine(union, [arm])]),
  ),
};

/** The names of the declarations that a handshake needs. */
export const HANDSHAKE: readonly string[] = Object.entries(HANDSHAKE_UNIONS).flat();

/**
 * Returns the names that a schema lacks, including those that the missing declarations refer to, in the smallest
 * schema's order. Names that the smallest schema does not declare are ignored.
 */
export function lackingNames(
  names: readonly string[],
  isDeclared: (name: string) => boolean,
): readonly string[] {
  const lacking = new Set<string>();
  const add = (name: string): void => {
    const text = Object.hasOwn(DECLARATIONS, name) ? DECLARATIONS[name] : undefined;
    if (text === undefined || lacking.has(name) || isDeclared(name)) return;
    lacking.add(name);
    for (const [needed] of text.matchAll(/\b[A-Z]\w+/g)) add(needed);
  };
  names.forEach(add);
  return Object.keys(DECLARATIONS).filter((name) => lacking.has(name));
}

export function exampleLines(names: readonly string[]): string {
  return names.map((name) => DECLARATIONS[name]).join("\n");
}

export function unionLine(name: string, arms: readonly string[]): string {
  return `export type ${name} = ${[...new Set(arms)].join(" | ")};`;
}
