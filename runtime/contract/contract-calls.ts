import type { RequestOptions } from "@mcp-codegen/runtime";
import { type SchemaCheck, type SchemaCompiler, checkedBy } from "@mcp-codegen/runtime/features";
import {
  ContractError,
  ToolCallError,
  type ContractChecks,
  validatorsOf,
} from "./contract-error.js";
import { isObject, MAX_LEVELS, quote } from "./json.js";
import { type ServerContract, withoutIgnored } from "./server-contract.js";

/** The members of a client that a contract uses. The client returned by `connect` has all of them. */
export interface ContractClient {
  callTool(name: string, args?: Arguments, options?: RequestOptions): Promise<unknown>;
  getPrompt(name: string, args?: Texts, options?: RequestOptions): Promise<unknown>;
  readResource(uri: string, options?: RequestOptions): Promise<unknown>;
  request(method: string, params: object, options?: RequestOptions): Promise<unknown>;
}

type Arguments = Readonly<Record<string, unknown>> | undefined;
type Texts = Readonly<Record<string, string>> | undefined;

/** Options for a single call, such as `timeout` in milliseconds, `signal` and `onprogress`. */
export type CallOptions = RequestOptions;

/** The outcome of a tool call: the result, or a failure reported by the tool. */
export type ToolCallOutcome<Structured, Content> =
  | {
      readonly isError: false;
      /**
       * The structured content, typed by the contract. Undefined if the tool has no output schema and returned none.
       */
      readonly structured: Structured;
      readonly content: readonly Content[];
    }
  | { readonly isError: true; readonly text: string; readonly content: readonly Content[] };

/** A tool call in progress: a promise of its outcome. */
export interface ToolCall<Structured, Content = unknown> extends Promise<
  ToolCallOutcome<Structured, Content>
> {
  /** Returns a successful call's result. Rejects with a `ToolCallError` if the tool reports a failure. */
  orThrow(): Promise<Extract<ToolCallOutcome<Structured, Content>, { isError: false }>>;
}

export interface ContractCallsOptions {
  /**
   * Controls how arguments are validated before they are sent, and structured results when they are received: `false`
   * for no validation, or a schema compiler such as `jsonSchemas()`. Default: the generated validators.
   */
  readonly check?: false | SchemaCompiler | undefined;
}

/** A call option that turns off the client's own validation, because results are validated against the contract. */
const UNCHECKED: object = { checkOutput: false };

/** The calls that generated clients send, validated against a contract. */
export class ContractCalls {
  readonly #client: ContractClient;
  readonly #contract: ServerContract;
  readonly #sources: ContractChecks | undefined;
  readonly #checks = new Map<string, SchemaCheck | undefined>();

  constructor(
    client: ContractClient,
    contract: ServerContract,
    checks: ContractChecks,
    { check }: ContractCallsOptions = {},
  ) {
    const { unchecked } = checks;
    this.#client = client;
    this.#contract = contract;
    if (check !== false) this.#sources = check ? { unchecked, compile: check } : checks;
  }

  /**
   * Calls a tool. Rejects with a `ContractError` if the arguments or the result violate the contract; invalid arguments
   * are not sent. Can also reject with any error from the client's `callTool`.
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
    return this.#client.getPrompt(name, args as Texts, options) as Promise<never>;
  }

  /**
   * Sends a request for an entry in a list other than tools, prompts and resources, using the method of the list's
   * family.
   */
  use(method: string, params: object, options?: CallOptions): Promise<never> {
    return this.#client.request(method, params, options) as Promise<never>;
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
    const problems = this.#check(name, "inputSchema")?.(args ?? {});
    if (problems) throw new ContractError(name, "arguments", problems);
    const result = await this.#client.callTool(name, args as Arguments, {
      ...options,
      ...UNCHECKED,
    });
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
    const key = `${part} ${name}`;
    if (!this.#checks.has(key)) this.#checks.set(key, this.#checkOf(name, part));
    return this.#checks.get(key);
  }

  #checkOf(name: string, part: "inputSchema" | "outputSchema"): SchemaCheck | undefined {
    if (this.#sources === undefined) return undefined;
    const { validators, compile, unchecked } = this.#sources;
    const validator = validators && validatorsOf(validators, name)[part];
    if (validator) return checkedBy(validator);
    const tool = this.#contract.tools.find(({ definition }) => definition["name"] === name);
    const places = unchecked && Object.hasOwn(unchecked, name) ? unchecked[name] : [];
    const schema = tool && withoutIgnored(tool.definition, places)[part];
    if (!isObject(schema)) return undefined;
    if (compile) return ofSent(compile(schema));
    throw new TypeError(
      `The contract has no validator for the tool ${quote(name)}: generate the client again`,
    );
  }
}

/** Returns a check that sees a value as it would be sent in JSON, without undefined members. */
function ofSent(check: SchemaCheck): SchemaCheck {
  return (value) => check(definedOnly(value));
}

function definedOnly(value: unknown, levels: number = MAX_LEVELS): unknown {
  if (levels === 0) return value;
  if (Array.isArray(value)) return value.map((item) => definedOnly(item, levels - 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[name, definedOnly(member, levels - 1)]],
    ),
  );
}

function textOf(content: readonly unknown[]): string {
  return content
    .flatMap((block) =>
      isObject(block) && typeof block["text"] === "string" ? [block["text"]] : [],
    )
    .join("\n");
}

/**
 * Parses structured content from a single text block, for revisions without `structuredContent` (MCP: tools,
 * structured content).
 */
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
