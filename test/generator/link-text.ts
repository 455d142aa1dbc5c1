import { Diagnostics } from "../../generator/diagnostics.js";
import type { Facts } from "../../generator/link/facts.js";
import { link } from "../../generator/link/link.js";
import type { Protocol } from "../../generator/link/protocol.js";
import { model } from "../../generator/model/model.js";

/** The minimum that every schema must have, with one request and one notification per direction. */
export const BASICS = `
export interface Ack { params?: { [key: string]: unknown } }
export interface InitializeRequest { method: "initialize"; params: { capabilities: ClientCapabilities } }
export interface InitializeResult { capabilities: ServerCapabilities }
export interface EmptyResult {}
export interface ClientCapabilities { roots?: { listChanged?: boolean } }
export interface ServerCapabilities { tools?: { listChanged?: boolean }; logging?: object }
export interface Implementation { name: string }
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError;
export interface JSONRPCRequest { id: string; method: string }
export interface JSONRPCNotification { method: string }
export interface JSONRPCResponse { id: string; result: {} }
export interface JSONRPCError { id: string; error: { code: number } }
`;

/** Creates the aggregate unions of a small schema: the basics, plus what the test adds. */
export function unions(arms: Readonly<Record<string, string>> = {}): string {
  const all = { ClientRequest: "", ServerResult: "", ...arms };
  const base: Record<string, string> = {
    ClientRequest: "InitializeRequest",
    ServerResult: "EmptyResult | InitializeResult",
  };
  return Object.entries(all)
    .map(([name, added]) => [name, [base[name], added].filter(Boolean).join(" | ")])
    .map(([name, type]) => `export type ${name} = ${type};\n`)
    .join("");
}

/**
 * Links a schema that is passed as text. Problems are returned as `CODE line:column`; those in facts also name their
 * file.
 */
export function linkText(
  text: string,
  facts: Facts = { revision: "test" },
): { protocol: Protocol | undefined; found: string[]; diagnostics: Diagnostics } {
  const diagnostics = new Diagnostics();
  const source = { file: "schema.ts", text, sha256: "0".repeat(64) };
  const protocol = link(model(source, diagnostics), { revision: "test", facts }, diagnostics);
  const found = diagnostics.items.map(({ code, file, span }) => {
    const place = span ? `${span.line}:${span.column}` : "-";
    return `${code} ${file === "schema.ts" ? "" : `${file} `}${place}`;
  });
  return { protocol, found, diagnostics };
}
