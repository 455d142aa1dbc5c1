import type { MethodFamily, Revision } from "@mcp-codegen/runtime";
import { type CheckId, CHECKS, type Finding, requirementOf, severityOf } from "../checks/index.js";
import { isStateless } from "../checks/check.js";
import type { TapeLine } from "../tape/index.js";
import type { Answer, Conversation, RequestSettings } from "./conversation.js";
import { isMembers, type Members, member } from "../tape/json-value.js";

export interface Place {
  readonly line?: TapeLine | undefined;
  readonly pointer?: string | undefined;
  /** The expected value. Default: the check's expectation. */
  readonly expected?: string | undefined;
  readonly received: unknown;
}

export interface Chart {
  readonly findings: Finding[];
  readonly made: Set<string>;
  readonly failures: Set<string>;
}

/** The examination of a server in one revision, and what is known about the server. */
export interface Visit {
  readonly revision: Revision;
  readonly conversation: Conversation;
  capabilities: Members;
  /** The revisions that a stateless server lists in its discovery result. */
  supported: readonly unknown[];
  /** True if the server is known to serve no sessions. */
  isSessionless: boolean;
  readonly lists: Map<MethodFamily, readonly Listed[]>;
  /** The names in lists that changed during calls, by list. */
  readonly later: Map<string, readonly string[]>;
  /** The families whose list never ends because a cursor is repeated. */
  readonly endless: Set<MethodFamily>;
  /** The ids of the open subscriptions. */
  readonly open: Set<unknown>;
  /** The calls that the server has answered with a result. */
  readonly called: TimedCall[];
  /** Records the failure of a call that the user named, which need not be the server's fault. */
  fail(sentence: string): void;
  /**
   * Records that a check was run, and adds a finding if it fails.
   *
   * @returns true if the check passes
   */
  expect(id: CheckId, holds: boolean, place: Place): boolean;
}

/** A call with the time that it took, in milliseconds. */
export interface TimedCall {
  readonly method: string;
  readonly params: Members;
  readonly headers: Readonly<Record<string, string>>;
  readonly duration: number;
  /** The methods of the requests that the server sent during the call, or each time that it was repeated. */
  questions: ReadonlySet<unknown>;
}

export interface Listed {
  readonly item: unknown;
  readonly line: TapeLine;
  readonly pointer: string;
}

export function createVisit(
  revision: Revision,
  conversation: Conversation,
  { findings, made, failures }: Chart,
): Visit {
  return {
    revision,
    conversation,
    capabilities: {},
    supported: [],
    isSessionless: false,
    lists: new Map(),
    later: new Map(),
    endless: new Set(),
    open: new Set(),
    called: [],
    fail: (sentence) => void failures.add(sentence),
    expect(id, holds, place) {
      made.add(id);
      const applies = CHECKS[id].applies?.(revision) ?? true;
      const { conversation: number } = place.line ?? { conversation: conversation.number };
      const from = { conversation: number, from: "server", revision } as const;
      if (!holds && applies) findings.push(findingOf(id, place, from));
      return holds;
    },
  };
}

export function findingOf(
  id: CheckId,
  { line, pointer = "", expected, received }: Place,
  { revision, ...from }: Pick<Finding, "conversation" | "from"> & { readonly revision: Revision },
): Finding {
  const { sentence, expected: usual = sentence } = CHECKS[id];
  const requirement = requirementOf(id, revision);
  return {
    id,
    ...(line && { n: line.n }),
    ...from,
    pointer,
    expected: expected ?? usual,
    received: show(received),
    ...(requirement !== undefined && { requirement }),
    severity: severityOf(id, revision),
    revision: revision.id,
  };
}

export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = typeof value === "string" && value.includes(" ") ? value : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

export function showAnswer(answer: Answer): string {
  switch (answer.kind) {
    case "result":
      return `the result ${show(answer.result)}`;
    case "error":
      return `the error ${show(answer.error)}`;
    case "refused":
      return `HTTP status ${answer.delivery.status}`;
    case "silence":
      return "no answer";
    case "closed":
      return answer.ending?.problem ?? "the end of the connection";
  }
}

export function codeOf(answer: Answer | undefined): number | undefined {
  const code = answer?.kind === "error" ? answer.error["code"] : undefined;
  return typeof code === "number" ? code : undefined;
}

export function isFailure(answer: Answer): boolean {
  return answer.kind === "result" && answer.result["isError"] === true;
}

/**
 * True if a response can be examined. Reports a missing response. Also reports an HTTP response without a message,
 * unless its status is a client error (4xx).
 */
export function isSettled(visit: Visit, answer: Answer, request: string): boolean {
  if (answer.kind === "silence") {
    visit.expect("request-silent", false, {
      line: answer.line,
      received: `no answer to ${request}`,
    });
  }
  if (answer.kind === "refused") {
    const { delivery, line } = answer;
    // A client error (4xx) is a valid response from the transport. A success status without a message, or a server
    // error, is not.
    if (delivery.status >= 400 && delivery.status < 500) return true;
    const received = delivery.stream?.isCut
      ? "an event without the empty line that ends it"
      : `HTTP status ${delivery.status} without a message`;
    visit.expect("http-unusable", false, { line, received, expected: `an answer to ${request}` });
    return false;
  }
  if (answer.kind === "error") return codeOf(answer) !== undefined;
  return answer.kind === "result";
}

/** Sends a request. Returns undefined if the response cannot be examined, or if the server has ended. */
export async function ask(
  visit: Visit,
  method: string,
  params?: Members,
  { about = method, ...settings }: RequestSettings & { readonly about?: string } = {},
): Promise<Answer | undefined> {
  if (visit.conversation.ending) return undefined;
  const answer = await visit.conversation.request(method, params, settings);
  return isSettled(visit, answer, about) ? answer : undefined;
}

export interface Refusal extends RequestSettings {
  readonly params?: Members;
  /** The expected error code. Default: -32602. */
  readonly code?: number | undefined;
  /** A description of the request for use in findings. Default: its method. */
  readonly about?: string;
  readonly expected?: string;
}

/** Sends a request that a server must reject. Returns the response even if it is not the expected error. */
export async function expectRefusal(
  visit: Visit,
  id: CheckId,
  method: string,
  { params, code = -32602, about = method, expected, ...settings }: Refusal = {},
): Promise<Answer | undefined> {
  const answer = await ask(visit, method, params, { about, ...settings });
  if (answer === undefined) return undefined;
  visit.expect(id, codeOf(answer) === code, { ...placeOf(answer), ...(expected && { expected }) });
  return answer;
}

/** True if changes must be announced. A stateless server may have ended the subscriptions to them. */
export function isListening({ revision, open }: Visit): boolean {
  return !isStateless(revision) || open.size > 0;
}

/** The maximum number of characters in which two guessable ids differ. */
const MOST_GUESSED = 4;

/** True if two ids differ only in a few adjacent characters, as ids from a counter or clock do. */
export function isGuessable(other: string, id: string): boolean {
  const least = Math.min(other.length, id.length);
  let start = 0;
  while (start < least && other[start] === id[start]) start++;
  let end = 0;
  while (start + end < least && other.at(-1 - end) === id.at(-1 - end)) end++;
  return Math.max(other.length, id.length) - start - end <= MOST_GUESSED;
}

export function isEmptyResult(result: Members): boolean {
  return Object.keys(result).every((name) => name === "_meta" || name === "resultType");
}

export function placeOf(answer: Answer): Place {
  const pointer = answer.kind === "error" ? "/error" : answer.kind === "result" ? "/result" : "";
  return { line: lineOf(answer), pointer, received: showAnswer(answer) };
}

export function itemsOf(visit: Visit, { list }: Pick<MethodFamily, "list">): readonly Members[] {
  const [, listed] = [...visit.lists].find(([one]) => one.list === list) ?? [];
  return (listed ?? []).map(({ item }) => item).filter(isMembers);
}

export function lineOf(answer: Answer): TapeLine | undefined {
  return "line" in answer ? answer.line : undefined;
}

/**
 * True if a capability such as `server.resources.subscribe` is declared. Null and false count as undeclared; an
 * undefined path requires no capability.
 */
export function declares(capabilities: Members, path: string | undefined): boolean {
  if (path === undefined) return true;
  const [, ...names] = path.split(".");
  const value = names.reduce<unknown>(member, capabilities);
  return value !== undefined && value !== null && value !== false;
}
