import {
  InvalidMessageError,
  type ParamHeader,
  headerValueOf,
  isObject,
  paramHeadersOf,
  quote,
  valueAt,
} from "../../wire/index.js";

/** Tools that are known at a time; the ones that were listed longest ago are forgotten. */
const MOST = 10_000;

/**
 * Arguments of a tool that are repeated in header fields, or the reason why the tool cannot be
 * called.
 */
type Definition = readonly ParamHeader[] | string;

/**
 * Arguments that a server's tools want repeated in header fields, as listed last (MCP: Streamable
 * HTTP, custom headers from tool parameters).
 */
export class ToolHeaders {
  readonly #definitions = new Map<string, Definition>();
  readonly #report: (error: Error) => void;

  constructor(report: (error: Error) => void) {
    this.#report = report;
  }

  /**
   * Takes note of the tools in a list.
   * @returns the list without those whose annotations are no good; each of them is reported
   */
  learn(result: unknown): unknown {
    const tools = isObject(result) ? result["tools"] : undefined;
    if (!Array.isArray(tools)) return result;
    const usable = tools.filter((tool) => this.#note(tool));
    return usable.length === tools.length ? result : { ...(result as object), tools: usable };
  }

  /**
   * The header fields of a call.
   * @param tool - definition in place of the listed one
   * @throws InvalidMessageError when the tool has been refused, or an argument fits no header field
   */
  of(params: unknown, tool?: object): Record<string, string> {
    const { name, arguments: given } = isObject(params) ? params : {};
    const definition = tool
      ? definitionOf((tool as { inputSchema?: unknown }).inputSchema)
      : this.#definitions.get(name as string);
    if (typeof definition === "string") throw refused(name as string, definition, "not called");
    const headers: Record<string, string> = {};
    for (const { header, path } of definition ?? []) {
      const value = valueAt(given, path);
      if (value !== undefined && value !== null) headers[header] = fieldValue(value, header);
    }
    return headers;
  }

  /** @returns whether the tool can be used */
  #note(tool: unknown): boolean {
    const name = isObject(tool) ? tool["name"] : undefined;
    if (typeof name !== "string") return true;
    const definition = definitionOf((tool as Record<string, unknown>)["inputSchema"]);
    const before = this.#definitions.get(name);
    this.#definitions.delete(name);
    if (definition.length > 0) this.#add(name, definition);
    if (typeof definition !== "string") return true;
    if (before !== definition) this.#report(refused(name, definition, "left out of the list"));
    return false;
  }

  #add(name: string, definition: Definition): void {
    this.#definitions.set(name, definition);
    if (this.#definitions.size <= MOST) return;
    for (const oldest of this.#definitions.keys()) {
      this.#definitions.delete(oldest);
      return;
    }
  }
}

function definitionOf(inputSchema: unknown): Definition {
  try {
    return paramHeadersOf(inputSchema);
  } catch (error) {
    return (error as Error).message;
  }
}

/** The server checks the argument itself; what has no place in a header cannot even get there. */
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
