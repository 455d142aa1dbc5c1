import { INVALID_PARAMS, type MethodFamily, RpcError } from "@mcp-codegen/runtime";
import { type AskingContext, ToolError } from "@mcp-codegen/universal/server";
import { isRecord } from "./callers.js";

/** Rules for one server. */
export interface PolicyRules {
  /** The names of the tools and prompts that clients may use. `*` matches any characters. Default: all. */
  readonly allow?: readonly string[] | undefined;
  /**
   * The names of the tools and prompts that clients may not use, even if `allow` contains them. `*` matches any
   * characters. Default: none.
   */
  readonly deny?: readonly string[] | undefined;
  /** True to allow only tools with `readOnlyHint`. Default: false. */
  readonly readOnly?: boolean | undefined;
  /**
   * The calls that the user confirms in a form: `destructive` for calls to tools that may be destructive. Default:
   * none.
   */
  readonly confirm?: "destructive" | undefined;
  /** The server's contract, a member of `servers` in `mcp.lock.json`. Needs `@mcp-codegen/contract`. Default: none. */
  readonly contract?: object | undefined;
  /**
   * Controls the handling of entries that differ from the contract: `hide` conceals them from clients, `refuse` rejects
   * the whole server. Default: `hide`.
   */
  readonly onDrift?: "hide" | "refuse" | undefined;
  /** The maximum number of tool calls per minute across all clients. Default: no limit. */
  readonly maxCallsPerMinute?: number | undefined;
}

/** A use of an item that a policy decides on. */
export interface PolicyRequest {
  /** The server's name; empty if there is only one unnamed server. */
  readonly server: string;
  /** The kind of item: `tool`, `prompt`, `resource` or `resource template`. */
  readonly kind: string;
  /** The item's name or URI on the server. */
  readonly name: string;
  /**
   * The item's definition. It is present while a list is being filtered and, if the policy needs it, for a call to a
   * tool that the server lists.
   */
  readonly definition: Readonly<Record<string, unknown>> | undefined;
  /** The sender's principal, or undefined if the sender is not authenticated. */
  readonly principal: string | undefined;
}

const VERDICTS = ["allow", "deny", "confirm"] as const;

/** A policy's decision. With `confirm`, the user has to confirm the use first. */
export type PolicyVerdict = (typeof VERDICTS)[number];

type Decide = (request: PolicyRequest) => PolicyVerdict | Promise<PolicyVerdict>;

/**
 * A bridge's policy: rules by server name, with `*` for all other servers, or a function. If the function throws or
 * returns something other than a verdict, the use is denied and the failure is reported.
 */
export type Policy = Readonly<Record<string, PolicyRules>> | Decide;

/** Called for each decision about the use of an item. It never receives the request's arguments. */
export type OnDecision = (request: PolicyRequest, verdict: PolicyVerdict) => void;

/** The check of each rule's value, and what the value must be. */
const CHECKS: Readonly<Record<keyof PolicyRules, [(value: unknown) => boolean, string]>> = {
  allow: [areTexts, "a list of names"],
  deny: [areTexts, "a list of names"],
  readOnly: [(value) => typeof value === "boolean", "true or false"],
  confirm: [(value) => value === "destructive", '"destructive"'],
  contract: [(value) => isRecord(value) && Array.isArray(value["tools"]), "a server's contract"],
  onDrift: [(value) => value === "hide" || value === "refuse", '"hide" or "refuse"'],
  maxCallsPerMinute: [
    (value) => Number.isInteger(value) && (value as number) > 0,
    "a whole number above 0",
  ],
};

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/**
 * Validates a policy and returns the function that decides.
 *
 * @param servers - the names of the servers that rules may refer to
 * @throws TypeError if the policy is invalid, so that a typo cannot permit anything
 */
function readPolicy(
  given: Policy | undefined,
  servers: readonly string[],
  report: (error: Error) => void,
): Decide {
  if (given === undefined) return () => "allow";
  if (typeof given === "function") return closed(given, report);
  if (!isRecord(given)) throw new TypeError("A policy is an object with rules by server");
  for (const [server, rules] of Object.entries(given)) {
    if (server !== "*" && !servers.includes(server)) {
      const known = ["*", ...servers.filter((one) => one !== "")].join(", ");
      throw new TypeError(`The policy names a server ${JSON.stringify(server)}: use ${known}`);
    }
    for (const [rule, value] of Object.entries(isRecord(rules) ? rules : { [String(rules)]: 0 })) {
      const [isValid, expected] = Object.hasOwn(CHECKS, rule)
        ? CHECKS[rule as keyof PolicyRules]
        : [];
      if (isValid?.(value)) continue;
      const problem = isValid
        ? `must be ${expected}`
        : `is not a rule: ${Object.keys(CHECKS).join(", ")} are`;
      throw new TypeError(`The policy for ${server}: ${JSON.stringify(rule)} ${problem}`);
    }
  }
  return (request) => verdictOf(rulesOf(given, request.server), request);
}

/** Returns the rules for a server. A server may be called `toString`, a name that every object inherits. */
function rulesOf(rules: Readonly<Record<string, PolicyRules>>, server: string): PolicyRules {
  return (Object.hasOwn(rules, server) ? rules[server] : rules["*"]) ?? {};
}

/** Wraps the user's function so that a failure results in `deny`. */
function closed(decide: Decide, report: (error: Error) => void): Decide {
  return async (request) => {
    let problem: unknown;
    try {
      const verdict: unknown = await decide(request);
      const found = VERDICTS.find((one) => one === verdict);
      if (found !== undefined) return found;
      problem = `it returned ${typeof verdict === "string" ? JSON.stringify(verdict) : typeof verdict}`;
    } catch (error) {
      problem = error instanceof Error ? error.message : error;
    }
    const what = `${request.kind} ${JSON.stringify(request.name.slice(0, 200))}`;
    report(new Error(`The policy failed, so the ${what} is denied: ${String(problem)}`));
    return "deny";
  };
}

function verdictOf(rules: PolicyRules, { kind, name, definition }: PolicyRequest): PolicyVerdict {
  const { allow, deny = [], readOnly, confirm } = rules;
  if (kind !== "tool" && kind !== "prompt") return "allow";
  if (allow?.some((pattern) => matches(pattern, name)) === false) return "deny";
  if (deny.some((pattern) => matches(pattern, name))) return "deny";
  if (kind !== "tool") return "allow";
  const hints = isRecord(definition?.["annotations"]) ? definition["annotations"] : {};
  const isReading = hints["readOnlyHint"] === true;
  if (readOnly && !isReading) return "deny";
  // A tool without the hint may be destructive (MCP: tool annotations).
  const isDestructive = !isReading && hints["destructiveHint"] !== false;
  return confirm === "destructive" && isDestructive ? "confirm" : "allow";
}

/**
 * Returns true if a name matches a pattern. Does not use regular expressions, because names come from untrusted
 * servers.
 */
function matches(pattern: string, name: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  if (parts.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  const last = parts.pop()!;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

interface Window {
  readonly since: number;
  count: number;
}

/** Patterns that have not matched a name yet. */
interface Unused {
  /** The servers that have not listed their names yet. */
  readonly unread: Set<string>;
  /** Advice for each pattern. */
  readonly patterns: Map<string, string>;
}

type Definition = Readonly<Record<string, unknown>>;

export class Access {
  /** True if decisions may depend on the sender, in which case senders must not share cached lists. */
  readonly isPersonal: boolean;
  readonly #decide: Decide;
  readonly #rules: Readonly<Record<string, PolicyRules>>;
  readonly #ondecision: OnDecision | undefined;
  readonly #windows = new Map<string, Window>();
  readonly #unused = new Map<string, Unused>();
  readonly #report: (error: Error) => void;

  constructor(
    policy: Policy | undefined,
    servers: readonly string[],
    ondecision: OnDecision | undefined,
    report: (error: Error) => void,
  ) {
    this.isPersonal = typeof policy === "function";
    this.#decide = readPolicy(policy, servers, report);
    this.#rules = typeof policy === "object" ? policy : {};
    this.#ondecision = ondecision;
    this.#report = report;
    for (const [owner, { allow = [], deny = [] }] of Object.entries(this.#rules)) {
      const unread = new Set(servers.filter((server) => this.#ownerFor(server) === owner));
      const patterns = new Map([...allow, ...deny].map((pattern) => [pattern, ""]));
      this.#unused.set(owner, { unread, patterns });
    }
  }

  rulesFor(server: string): PolicyRules {
    return rulesOf(this.#rules, server);
  }

  /** Returns true if a server has patterns that have not matched a name yet. */
  hasUnused(server: string): boolean {
    return (this.#unusedFor(server)?.patterns.size ?? 0) > 0;
  }

  /**
   * Reports patterns that match none of the names that a server lists, because they may be typos. Patterns for several
   * servers are reported once all of these have listed their names.
   *
   * @param prefix - what clients see before these names, and patterns omit
   */
  checkUnused(server: string, names: readonly string[], prefix: string): void {
    const { unread, patterns } = this.#unusedFor(server) ?? {};
    if (!unread || !patterns) return;
    unread.delete(server);
    for (const pattern of patterns.keys()) {
      if (names.some((name) => matches(pattern, name))) patterns.delete(pattern);
      else if (names.some((name) => matches(pattern, `${prefix}${name}`)))
        patterns.set(pattern, `; leave out the prefix ${prefix}`);
    }
    if (unread.size > 0) return;
    const owner = this.#ownerFor(server);
    for (const [pattern, hint] of patterns) {
      const problem = `${JSON.stringify(pattern)} matches no tool or prompt${hint}`;
      this.#report(new Error(`The policy for ${owner}: ${problem}`));
    }
    patterns.clear();
  }

  #ownerFor(server: string): string {
    return Object.hasOwn(this.#rules, server) ? server : "*";
  }

  #unusedFor(server: string): Unused | undefined {
    return this.#unused.get(this.#ownerFor(server));
  }

  /**
   * Returns a function that extracts from a tool's definition what decisions about calls need, or undefined if they
   * need nothing.
   */
  needed(server: string): ((definition: Definition) => Definition) | undefined {
    if (this.isPersonal) return (definition) => definition;
    const { readOnly, confirm } = this.rulesFor(server);
    if (readOnly !== true && confirm === undefined) return undefined;
    return ({ annotations }) => ({ annotations });
  }

  /** Returns the items that the sender may use, including those that need confirmation. */
  async visible(
    server: string,
    { noun: kind, key }: MethodFamily,
    items: readonly Definition[],
    { auth }: Pick<AskingContext, "auth">,
  ): Promise<readonly Definition[]> {
    const verdicts = items.map((definition) => {
      const name = String(definition[key]);
      return this.#decide({ server, kind, name, definition, principal: auth?.principal });
    });
    const decided = await Promise.all(verdicts);
    return items.filter((_, index) => decided[index] !== "deny");
  }

  /**
   * Decides on a use of an item.
   *
   * @returns true if the user has to confirm the use
   * @throws RpcError if the use is denied, as for an item that does not exist; ToolError if there are too many calls
   */
  async admit(
    server: string,
    family: MethodFamily,
    { name, given, definition }: Pick<PolicyRequest, "name" | "definition"> & { given: string },
    { auth }: Pick<AskingContext, "auth">,
    isConfirmed = false,
  ): Promise<boolean> {
    const kind = family.noun;
    const request = { server, kind, name, definition, principal: auth?.principal };
    let verdict = await this.#decide(request);
    if (isConfirmed && verdict === "confirm") return false;
    const isUnlisted = kind === "tool" && definition === undefined;
    if (isUnlisted && verdict === "confirm") verdict = "deny";
    const isExcess = verdict !== "deny" && kind === "tool" && !this.#count(server);
    this.#ondecision?.(request, isExcess ? "deny" : verdict);
    if (verdict === "deny") throw unknownItem(family, given);
    if (!isExcess) return verdict === "confirm";
    const { maxCallsPerMinute: limit } = this.rulesFor(server);
    throw new ToolError(`There are too many calls: ${limit} in a minute are permitted`);
  }

  /** Counts a call. Returns false if there are too many. */
  #count(server: string): boolean {
    const { maxCallsPerMinute: limit = Infinity } = this.rulesFor(server);
    const now = performance.now();
    let window = this.#windows.get(server);
    if (window === undefined || now - window.since >= 60_000) window = { since: now, count: 0 };
    if (window.count >= limit) return false;
    window.count += 1;
    this.#windows.set(server, window);
    return true;
  }
}

/** Returns the error for an item that does not exist, in the words of a server that lists items. */
export function unknownItem({ noun, list }: MethodFamily, given: unknown): RpcError {
  const problem = `unknown ${noun} ${JSON.stringify(given)}: ${list} returns those that exist`;
  return new RpcError(INVALID_PARAMS, `Invalid params: ${problem}`);
}
