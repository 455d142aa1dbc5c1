import { summarize } from "../../../engine/index.js";
import {
  INVALID_PARAMS,
  META,
  type Method,
  type RequestMessage,
  type Revision,
  type Trace,
  quote,
  valueAt,
} from "../../../wire/index.js";
import { decodeHeaderValue } from "../../../wire/header-values/index.js";
import type { ParamHeader } from "../../../wire/param-headers/index.js";
import type { Exchange } from "../requests/exchange.js";
import { headerMismatch, type Problem } from "../requests/problem.js";

/** The longest header field that is decoded, in characters. `node:http` has the same limit for a whole head. */
const MAX_FIELD = 16 * 1024;

/** Matches characters that a header field cannot contain. */
const UNFIT = /[^\t\x20-\x7e]/;

/** Matches field values that are certainly neither encoded nor repeated. */
const PLAIN = /^[\w./:-]{1,1024}$/;

const INTEGER = /^-?\d+(\.0+)?$/;

/** Checks stateless requests against their HTTP header fields before the server receives them. */
export interface StatelessChecks {
  statusOf(code: number, request: RequestMessage, version: unknown): number;
  /**
   * Returns the first problem of a request, checked in the order that the specification defines. For a known method,
   * `_meta` is validated later, with the parameters.
   */
  whyRefused(
    exchange: Exchange,
    request: RequestMessage,
    version: unknown,
    row: Method | undefined,
  ): Problem | undefined;
}

export function statelessChecks(revisions: readonly Revision[]): StatelessChecks {
  const preferred = revisions[0]!;
  const served: ReadonlyMap<unknown, ReadonlyMap<number, number>> = new Map(
    revisions.map((revision) => [revision.id, statusesOf(revision)]),
  );
  return {
    statusOf(code: number, { params }: RequestMessage, version: unknown): number {
      if (code === INVALID_PARAMS && whyIncomplete(preferred, params)) return 400;
      const statuses = served.get(version) ?? served.get(preferred.id)!;
      return statuses.get(code) ?? 200;
    },

    whyRefused(
      exchange: Exchange,
      { method, params }: RequestMessage,
      version: unknown,
      row: Method | undefined,
    ): Problem | undefined {
      const { fields } = exchange.head;
      const named = fields["mcp-protocol-version"];
      const { extension } = row ?? {};
      const isKnown = extension === undefined || isDeclared(extension, params);
      const nameHeader = isKnown ? row?.nameHeader : undefined;
      if (row && named === version && fields["mcp-method"] === method) {
        const problem = nameHeader && nameMismatch(exchange, nameHeader, params);
        if (problem === undefined) return undefined;
        return whyIncomplete(preferred, params) ?? headerMismatch(preferred, problem);
      }
      const isNamed = served.has(named) || fields["mcp-method"] !== undefined;
      if (version === undefined && !isNamed) {
        // The server itself answers a client that opens a conversation in another way.
        if (!preferred.methods.has(method)) return undefined;
        const ids = [...served.keys()].join(", ");
        if (named === undefined)
          return headerMismatch(preferred, `MCP-Protocol-Version is missing: send one of ${ids}`);
      }
      const problem =
        plainMismatch(named, "MCP-Protocol-Version", version as string) ??
        plainMismatch(fields["mcp-method"], "Mcp-Method", method) ??
        (nameHeader && nameMismatch(exchange, nameHeader, params));
      if (row && problem === undefined) return undefined;
      const incomplete = whyIncomplete(preferred, params);
      return incomplete ?? (problem === undefined ? undefined : headerMismatch(preferred, problem));
    },
  };
}

/**
 * True if the client has declared the extension that its request belongs to. Otherwise the client need not know the
 * extension's header fields, and the server refuses the request for that reason anyway.
 */
function isDeclared(extension: string, params: unknown): boolean {
  return valueAt(params, ["_meta", META.clientCapabilities, "extensions", extension]) !== undefined;
}

/** Returns the problem if a request lacks what a handshake would have established. */
function whyIncomplete({ requestParams }: Revision, params: unknown): Problem | undefined {
  if (requestParams === undefined || requestParams(params)) return undefined;
  const trace: Trace = [];
  requestParams(params ?? {}, trace);
  const message = `Invalid params: ${summarize(trace)}`;
  return { status: 400, code: INVALID_PARAMS, message };
}

function statusesOf({ conventions, errorCodes }: Revision): ReadonlyMap<number, number> {
  const statuses = new Map<number, number>();
  for (const [name, status] of Object.entries(conventions.errorStatuses)) {
    const code = errorCodes[name];
    if (code !== undefined) statuses.set(code, status);
  }
  return statuses;
}

/**
 * Describes how `Mcp-Name` contradicts the parameter that it mirrors (MCP: Streamable HTTP, request metadata
 * headers).
 */
function nameMismatch(exchange: Exchange, member: string, params: unknown): string | undefined {
  const field = exchange.head.fields["mcp-name"];
  if (field === undefined) return `Mcp-Name is missing: it repeats ${quote(member)}`;
  const value = (params as Record<string, unknown> | undefined)?.[member];
  // A request without a name is invalid for another reason.
  if (typeof value !== "string") return undefined;
  if (field === value && PLAIN.test(field)) return undefined;
  const text = decoded(exchange, "mcp-name", field);
  return text === value ? undefined : contradiction("Mcp-Name", field, text, value);
}

export function paramMismatch(
  exchange: Exchange,
  headers: readonly ParamHeader[],
  args: unknown,
): string | undefined {
  for (const { header, field: name, path } of headers) {
    const value = valueAt(args, path);
    const field = exchange.header(name);
    if (value === undefined || value === null) {
      if (field !== undefined) return `${header} is present, but the argument is not`;
    } else if (field === undefined) {
      return `${header} is missing: it repeats the argument ${quote(path.join("/"))}`;
    } else {
      const text = decoded(exchange, name, field);
      if (!isSame(text, value)) return contradiction(header, field, text, value);
    }
  }
  return undefined;
}

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
 * Decodes a field. A field that was sent more than once counts as unreadable, because an intermediary may use one of
 * its other values.
 */
function decoded(exchange: Exchange, name: string, field: string): string | undefined {
  if (field.length > MAX_FIELD) return undefined;
  if (field.includes(",") && exchange.isRepeated(name)) return undefined;
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
  const shown = typeof value === "object" ? "a value that no header can repeat" : String(value);
  return `${header} is ${quote(text)}, but the body has ${quote(shown)}`;
}
