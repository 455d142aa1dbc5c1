import {
  type Method,
  type ParamHeader,
  decodeHeaderValue,
  quote,
  valueAt,
} from "../../wire/index.js";
import type { Exchange } from "./exchange.js";

/** Longest header field that is decoded, in characters: all that `node:http` takes in one request. */
const MAX_FIELD = 16 * 1024;

/** Characters that a header field cannot carry. */
const UNFIT = /[^\t\x20-\x7e]/;

/** Integers, possibly with a fraction of zeros. */
const INTEGER = /^-?\d+(\.0+)?$/;

/**
 * Contradiction between the header fields of a request and its body; undefined when there is none
 * (MCP: Streamable HTTP, request metadata headers).
 */
export function headerMismatch(
  exchange: Exchange,
  version: string,
  method: string,
): string | undefined {
  return (
    plainMismatch(exchange.header("mcp-protocol-version"), "MCP-Protocol-Version", version) ??
    plainMismatch(exchange.header("mcp-method"), "Mcp-Method", method)
  );
}

/** The same for the member of the parameters that says what a request is about. */
export function nameMismatch(
  exchange: Exchange,
  { nameHeader }: Method,
  params: unknown,
): string | undefined {
  if (nameHeader === undefined) return undefined;
  const value = valueAt(params, [nameHeader]);
  const field = exchange.header("mcp-name");
  if (field === undefined) return `Mcp-Name is missing: it repeats ${quote(nameHeader)}`;
  // Without a name, the request is invalid in another way.
  if (typeof value !== "string") return undefined;
  const text = decoded(exchange, "mcp-name", field);
  return text === value ? undefined : contradiction("Mcp-Name", field, text, value);
}

/** The same for arguments whose schema asks for a header field. */
export function paramMismatch(
  exchange: Exchange,
  headers: readonly ParamHeader[],
  args: unknown,
): string | undefined {
  for (const { header, field: name, path } of headers) {
    const value = valueAt(args, path);
    const field = exchange.header(name);
    if (value === undefined || value === null) {
      if (field !== undefined) return `${header} is there, but the argument is not`;
    } else if (field === undefined) {
      return `${header} is missing: it repeats the argument ${quote(path.join("/"))}`;
    } else {
      const text = decoded(exchange, name, field);
      if (!isSame(text, value)) return contradiction(header, field, text, value);
    }
  }
  return undefined;
}

/** Compares a field whose value is never encoded. */
function plainMismatch(
  field: string | undefined,
  header: string,
  value: string,
): string | undefined {
  if (field === value) return undefined;
  if (field === undefined) return `${header} is missing: it repeats ${quote(value)}`;
  if (!UNFIT.test(field) && field.trim() === value) return undefined;
  return contradiction(header, field, field, value);
}

/**
 * Decodes a field; undefined when it is unreadable, or repeated, since an intermediary may read the
 * other one.
 */
function decoded(exchange: Exchange, name: string, field: string): string | undefined {
  if (field.length > MAX_FIELD) return undefined;
  if (field.includes(",") && exchange.isRepeated?.(name)) return undefined;
  return decodeHeaderValue(field);
}

function isSame(text: string | undefined, value: unknown): boolean {
  if (text === undefined) return false;
  if (typeof value !== "number") return typeof value !== "object" && text === String(value);
  return Number.isSafeInteger(value) && INTEGER.test(text) && Number(text) === value;
}

function contradiction(
  header: string,
  field: string,
  text: string | undefined,
  value: unknown,
): string {
  if (text === undefined) return `${header} cannot be read: ${quote(field)}`;
  const shown = typeof value === "object" ? "something that no header can repeat" : String(value);
  return `${header} is ${quote(text)}, but the body has ${quote(shown)}`;
}
