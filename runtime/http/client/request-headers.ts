import {
  InvalidMessageError,
  type Revision,
  type SendingOptions,
  isObject,
  quote,
} from "../../wire/index.js";
import { headerValueOf, valueAt } from "../../wire/header-values/index.js";
import { type ParamHeader, paramHeadersOf } from "../../wire/param-headers/index.js";
import { EVENT_STREAM, JSON_TYPE } from "./responses.js";

type HeaderFields = Readonly<Record<string, string>>;

/** Sending of one method's messages under a revision, which is the same for each message. */
export interface MethodPlan {
  /** Header fields of every message of the method. */
  readonly headers: HeaderFields;
  /** Member of the parameters that requests repeat in `Mcp-Name`. */
  readonly named: string | undefined;
  /** True if arguments are repeated in header fields. */
  readonly hasToolHeaders: boolean;
  /** True if the result lists which arguments are repeated in header fields. */
  readonly isToolList: boolean;
  /** True if the request opens a subscription. */
  readonly isListening: boolean;
}

/** @param named - member for `Mcp-Name`, for a method that the revision does not have */
export function methodPlan(
  method: string,
  { id, conventions, methods }: Revision,
  named: string | undefined,
): MethodPlan {
  const row = methods.get(method);
  const headers = {
    "mcp-protocol-version": id,
    ...(conventions.methodHeaders && { "mcp-method": headerValueOf(method) }),
    accept: `${JSON_TYPE}, ${EVENT_STREAM}`,
    "content-type": JSON_TYPE,
  };
  return {
    headers,
    named: row ? row.nameHeader : named,
    hasToolHeaders: row?.paramHeaders !== undefined,
    isToolList: [...methods.values()].some(({ paramHeaders }) => paramHeaders === method),
    isListening: row?.role === "listen",
  };
}

/**
 * Header fields of a stateless request, which repeat parts of its body (MCP: Streamable HTTP, request metadata headers).
 *
 * @param options - options of the caller
 * @throws InvalidMessageError if no header field can carry an argument of the tool
 */
export function requestHeaders(
  { headers, named, hasToolHeaders }: MethodPlan,
  params: unknown,
  tools: ToolHeaders,
  options: SendingOptions | undefined,
): HeaderFields {
  const name = named === undefined ? undefined : valueAt(params, [named]);
  return {
    ...options?.headers,
    ...(hasToolHeaders && tools.of(params, options?.tool)),
    ...headers,
    ...(typeof name === "string" && { "mcp-name": headerValueOf(name) }),
  };
}

/** Tools that are remembered; the ones that were listed longest ago are removed. */
const MOST = 10_000;

/** Arguments of a tool that are repeated in header fields, or the reason why the tool cannot be called. */
type Definition = readonly ParamHeader[] | string;

/**
 * Arguments of a server's tools that are repeated in header fields, as listed last (MCP: Streamable HTTP, custom headers
 * from tool parameters).
 */
export interface ToolHeaders {
  /**
   * Remembers the tools of a list.
   * @returns the list without tools whose annotations are invalid; each of them is reported
   */
  learn(result: unknown): unknown;
  /**
   * Header fields of a call.
   * @param tool - definition that replaces the listed one
   * @throws InvalidMessageError if the annotations of the tool are invalid, or no header field can carry an argument
   */
  of(params: unknown, tool?: object): Record<string, string>;
}

export function toolHeaders(report: (error: Error) => void): ToolHeaders {
  const definitions = new Map<string, Definition>();
  /** Remembers a tool. Returns false if its annotations are invalid. */
  const note = (tool: unknown): boolean => {
    const name = isObject(tool) ? tool["name"] : undefined;
    if (typeof name !== "string") return true;
    const definition = definitionOf((tool as Record<string, unknown>)["inputSchema"]);
    const before = definitions.get(name);
    definitions.delete(name);
    if (definition.length > 0) definitions.set(name, definition);
    const [oldest] = definitions.size > MOST ? definitions.keys() : [];
    if (oldest !== undefined) definitions.delete(oldest);
    if (typeof definition !== "string") return true;
    if (before !== definition) report(refused(name, definition, "left out of the list"));
    return false;
  };
  return {
    learn(result) {
      const tools = isObject(result) ? result["tools"] : undefined;
      if (!Array.isArray(tools)) return result;
      const usable = tools.filter(note);
      return usable.length === tools.length ? result : { ...(result as object), tools: usable };
    },
    of(params, tool) {
      const { name, arguments: given } = isObject(params) ? params : {};
      const definition = tool
        ? definitionOf((tool as { inputSchema?: unknown }).inputSchema)
        : definitions.get(name as string);
      if (typeof definition === "string") throw refused(name as string, definition, "not called");
      const headers: Record<string, string> = {};
      for (const { header, path } of definition ?? []) {
        const value = valueAt(given, path);
        if (value !== undefined && value !== null) headers[header] = fieldValue(value, header);
      }
      return headers;
    },
  };
}

function definitionOf(inputSchema: unknown): Definition {
  try {
    return paramHeadersOf(inputSchema);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Value of a header field; the server checks the argument itself. */
function fieldValue(value: unknown, header: string): string {
  try {
    if (typeof value === "object") throw new TypeError("it is an object or an array");
    return headerValueOf(value as string | number | boolean);
  } catch (error) {
    const text = `An argument cannot be sent as ${header}: ${(error as Error).message}`;
    throw new InvalidMessageError(text);
  }
}

function refused(name: string, problem: string, consequence: string): InvalidMessageError {
  return new InvalidMessageError(`The tool ${quote(name)} is ${consequence}: ${problem}`);
}
