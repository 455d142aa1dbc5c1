import type { RequestOptions } from "../../api/index.js";
import type { SchemaCheck, SchemaCompiler } from "../../features/index.js";
import { jsonSchemas } from "../../json-schema/index.js";
import { isObject } from "../../wire/index.js";
import { ContractError, ToolCallError } from "./contract-error.js";
import type { ServerContract } from "./server-contract.js";

/** Client, as far as a contract needs one: what `connect` gives is that. */
export interface ContractClient {
  callTool(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: RequestOptions,
  ): Promise<unknown>;
  getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<unknown>;
  readResource(uri: string, options?: RequestOptions): Promise<unknown>;
}

/** Options of one call: `timeout` in milliseconds, `signal`, `onprogress` and the like. */
export type CallOptions = RequestOptions;

/** Result of a tool. */
export type ToolCallOutcome<Structured, Content> =
  | {
      readonly isError: false;
      /** Structured content, as the contract says; undefined where the tool has no schema for it and gave none. */
      readonly structured: Structured;
      readonly content: readonly Content[];
    }
  | { readonly isError: true; readonly text: string; readonly content: readonly Content[] };

/** Call that is under way. */
export interface ToolCall<Structured, Content = unknown> extends Promise<
  ToolCallOutcome<Structured, Content>
> {
  /** The result of a call that did not fail. Rejects with a `ToolCallError` for one that did. */
  orThrow(): Promise<Extract<ToolCallOutcome<Structured, Content>, { isError: false }>>;
}

export interface ContractCallsOptions {
  /**
   * Check of arguments before they are sent, and of structured results: false, or a compiler of schemas. Default:
   * `jsonSchemas({ trust: "foreign" })`.
   */
  readonly check?: false | SchemaCompiler | undefined;
  /** Tools whose schemas no check can be made of. */
  readonly unchecked?: readonly string[] | undefined;
}

/** Calls of generated clients, checked against a contract. */
export class ContractCalls {
  readonly #client: ContractClient;
  readonly #contract: ServerContract;
  readonly #compile: SchemaCompiler | undefined;
  readonly #unchecked: ReadonlySet<string>;
  readonly #checks = new Map<string, SchemaCheck | undefined>();

  constructor(
    client: ContractClient,
    contract: ServerContract,
    options: ContractCallsOptions = {},
  ) {
    const { check = jsonSchemas({ trust: "foreign" }), unchecked = [] } = options;
    this.#client = client;
    this.#contract = contract;
    this.#compile = check === false ? undefined : check;
    this.#unchecked = new Set(unchecked);
  }

  /**
   * Calls a tool. Rejects with a `ContractError` for arguments that do not fit, before anything is sent, and for a result
   * that does not; and as `callTool` of the client does.
   */
  tool(name: string, args: object | undefined, options?: CallOptions): ToolCall<never, never> {
    const outcome = this.#call(name, args, options);
    const orThrow = async (): Promise<unknown> => {
      const done = await outcome;
      if (done.isError) throw new ToolCallError(name, done.content, done.text);
      return done;
    };
    return Object.assign(outcome, { orThrow }) as never;
  }

  /** Gets a prompt. */
  prompt(name: string, args: object | undefined, options?: CallOptions): Promise<never> {
    return this.#client.getPrompt(name, args as never, options) as Promise<never>;
  }

  /** Reads a resource. */
  resource(uri: string, options?: CallOptions): Promise<never> {
    return this.#client.readResource(uri, options) as Promise<never>;
  }

  async #call(
    name: string,
    args: object | undefined,
    options: CallOptions | undefined,
  ): Promise<ToolCallOutcome<unknown, unknown>> {
    const given = this.#check(name, "inputSchema")?.(args ?? {});
    if (given) throw new ContractError(name, "arguments", given);
    const result = await this.#client.callTool(name, args as never, options);
    const { content, structuredContent, isError } = isObject(result) ? result : {};
    const blocks = Array.isArray(content) ? (content as unknown[]) : [];
    if (isError === true) return { isError, content: blocks, text: textOf(blocks) };
    const check = this.#check(name, "outputSchema");
    const structured = check ? (structuredContent ?? jsonOf(blocks)) : structuredContent;
    const issues = check?.(structured ?? null);
    if (issues) throw new ContractError(name, "result", issues);
    return { isError: false, structured, content: blocks };
  }

  #check(name: string, part: "inputSchema" | "outputSchema"): SchemaCheck | undefined {
    if (this.#compile === undefined || this.#unchecked.has(name)) return undefined;
    const key = `${part} ${name}`;
    if (this.#checks.has(key)) return this.#checks.get(key);
    const { tools } = this.#contract;
    const schema = tools.find(({ definition }) => definition["name"] === name)?.definition[part];
    const check = isObject(schema) ? this.#compile(schema) : undefined;
    this.#checks.set(key, check);
    return check;
  }
}

function textOf(content: readonly unknown[]): string {
  return content
    .flatMap((block) =>
      isObject(block) && typeof block["text"] === "string" ? [block["text"]] : [],
    )
    .join("\n");
}

/** Structured content as text, as revisions have it that know no other (MCP: tools, structured content). */
function jsonOf(content: readonly unknown[]): unknown {
  const [block] = content;
  if (content.length !== 1 || !isObject(block) || typeof block["text"] !== "string")
    return undefined;
  try {
    return JSON.parse(block["text"]);
  } catch {
    return undefined;
  }
}
