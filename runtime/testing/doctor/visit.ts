import type { MethodFamily, Revision } from "@mcp-codegen/runtime";
import type { Finding } from "../checks/index.js";
import type { TapeLine } from "../tape/index.js";
import { type Answer, type Conversation, isMembers, type Members } from "./conversation.js";
import { pageOf, SERVER_CHECKS } from "./server-checks.js";

/** Place and values of a finding. */
export interface Place {
  readonly line?: TapeLine | undefined;
  readonly pointer?: string | undefined;
  /** Default: the sentence of the check. */
  readonly expected?: string | undefined;
  readonly received: unknown;
}

/** Collects findings, and counts the checks that were made. */
export interface Chart {
  readonly findings: Finding[];
  readonly made: Set<string>;
}

/** One revision of one server, with what has been learnt about it. */
export interface Visit {
  readonly revision: Revision;
  readonly conversation: Conversation;
  /** Capabilities that the server declares. */
  capabilities: Members;
  /** Lists that were read, by their family. */
  readonly lists: Map<MethodFamily, readonly Listed[]>;
  /** Families whose list has no end. */
  readonly endless: Set<MethodFamily>;
  /**
   * Notes that a check was made, and a finding unless it holds.
   * @returns true if it holds
   */
  expect(id: string, holds: boolean, place: Place): boolean;
}

/** Item of a list, and where it was received. */
export interface Listed {
  readonly item: unknown;
  readonly line: TapeLine;
  readonly pointer: string;
}

export function createVisit(
  revision: Revision,
  conversation: Conversation,
  { findings, made }: Chart,
): Visit {
  return {
    revision,
    conversation,
    capabilities: {},
    lists: new Map(),
    endless: new Set(),
    expect(id, holds, place) {
      made.add(id);
      const applies = SERVER_CHECKS[id]?.applies?.(revision) ?? true;
      if (!holds && applies) findings.push(findingOf(id, place, conversation.number, revision));
      return holds;
    },
  };
}

function findingOf(id: string, place: Place, conversation: number, revision: Revision): Finding {
  const check = SERVER_CHECKS[id];
  if (check === undefined) throw new TypeError(`There is no check ${id}`);
  const { line, pointer = "", expected = check.sentence, received } = place;
  const requirement = pageOf(check, revision);
  return {
    id,
    ...(line && { n: line.n }),
    conversation,
    from: "server",
    pointer,
    expected,
    received: show(received),
    ...(requirement !== undefined && { requirement }),
    severity: check.severity,
    revision: revision.id,
  };
}

/** A received value in a few words. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = typeof value === "string" && value.includes(" ") ? value : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

/** An answer in a few words. */
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

/** Code of the error that an answer is; undefined if it is none. */
export function codeOf(answer: Answer): number | undefined {
  const code = answer.kind === "error" ? answer.error["code"] : undefined;
  return typeof code === "number" ? code : undefined;
}

/** True for an answer to examine. Silence, the end of the server and errors without a code are findings of their own. */
export function isSettled(visit: Visit, answer: Answer, request: string): boolean {
  if (answer.kind === "silence") {
    visit.expect("request-silent", false, { received: `no answer to ${request}` });
  }
  const isError = answer.kind === "error";
  if (isError && codeOf(answer) === undefined) return false;
  return isError || answer.kind === "result" || answer.kind === "refused";
}

export function lineOf(answer: Answer): TapeLine | undefined {
  return "line" in answer ? answer.line : undefined;
}

/** True if a capability such as `server.resources.subscribe` is declared. */
export function declares(capabilities: Members, path: string | undefined): boolean {
  if (path === undefined) return true;
  const [, ...names] = path.split(".");
  let value: unknown = capabilities;
  for (const name of names)
    value = isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value !== undefined && value !== null && value !== false;
}
