import { META, type Revision } from "@mcp-codegen/runtime";
import type { Finding } from "../../checks/index.js";
import type { TapeLine } from "../../tape/index.js";
import { member } from "../../tape/json-value.js";
import { revisions } from "@mcp-codegen/universal/revisions";

/** Form of a row. `other` is JSON that is not a JSON-RPC message. */
export type RowKind = "request" | "notification" | "result" | "error" | "text" | "event" | "other";

/** Relation of the rows of a group. */
export type GroupKind = "call" | "rounds" | "task" | "subscription" | "login";

/** One message, text or event of a tape; each message of a batch has a row of its own. */
export interface Row {
  readonly index: number;
  readonly line: TapeLine;
  /** Pointer to the message in the line: `/1` for the second message of a batch. */
  readonly place: string;
  readonly message: unknown;
  readonly kind: RowKind;
  /** JSON text of the id; empty if there is none. */
  readonly id: string;
  /** Method; for a response, that of its request. Empty if it is not known. */
  readonly method: string;
  /** Item that the message is about: the name of a tool, a URI, the id of a task. */
  readonly name: string;
  /** Revision that the message belongs to; undefined before one is agreed. */
  readonly revision: Revision | undefined;
  /** Request of a response. */
  readonly request: Row | undefined;
  response: Row | undefined;
  /** Milliseconds from the request to its response, in both. */
  duration: number | undefined;
  /** True for an error, a result that reports one, and an HTTP status from 400 on. */
  readonly hasFailed: boolean;
  readonly findings: Finding[];
  /** First row of the group. */
  parent: Row | undefined;
  /** Other rows of the group that this row begins, in their order. */
  readonly children: Row[];
  group: GroupKind;
}

/** True if the row begins a group, which has more than a request and its response. */
export function beginsGroup({ children }: Row): boolean {
  return children.length > 1;
}

/** First row of the group of a row; undefined for a row that is not in a group. */
export function groupOf({ parent }: Row): Row | undefined {
  return parent !== undefined && beginsGroup(parent) ? parent : undefined;
}

/** Messages of a line with their places. */
export function messagesOf({ message }: TapeLine): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(message) || message.length === 0) return [["", message]];
  return message.map((one: unknown, index) => [`/${index}`, one]);
}

export function kindOf(line: TapeLine, message: unknown): RowKind {
  if (line.text !== undefined) return "text";
  if (message === undefined) return "event";
  if (typeof member(message, "method") === "string") {
    return member(message, "id") === undefined ? "notification" : "request";
  }
  if (member(message, "error") !== undefined) return "error";
  return member(message, "result") === undefined ? "other" : "result";
}

export function hasFailed(kind: RowKind, { http }: TapeLine, message: unknown): boolean {
  const isError = member(member(message, "result"), "isError") === true;
  return kind === "error" || isError || (http?.status ?? 0) >= 400;
}

const names = new Map<string, readonly string[]>();

/** Members of the parameters of a method that identify what it is about, from the tables of all revisions. */
function namingMembers(method: string): readonly string[] {
  let found = names.get(method);
  if (found === undefined) {
    const families = revisions.flatMap((revision) => revision.families);
    const headers = revisions.flatMap(({ methods }) => methods.get(method)?.nameHeader ?? []);
    const items = families.flatMap(({ use, by, subscribe, updated, key }) => [
      ...(use === method && by !== undefined ? [by] : []),
      ...(subscribe === method || updated === method ? [key] : []),
    ]);
    found = [...new Set([...headers, ...items, "taskId", "uri", "name"])];
    names.set(method, found);
  }
  return found;
}

/** Item that a request or a notification is about. */
export function nameOf(method: string, params: unknown): string {
  for (const name of namingMembers(method)) {
    const value = member(params, name);
    if (typeof value === "string") return value.slice(0, 200);
  }
  return "";
}

/** Members that name an item, by the methods that subscribe to the item and announce its change. */
const topics = new Map(
  revisions
    .flatMap(({ families }) => families)
    .flatMap(({ subscribe, updated, key }) =>
      [subscribe, updated].flatMap((method) =>
        method === undefined ? [] : [[method, key] as const],
      ),
    ),
);

/** URI that a subscription to one item, or a notification about it, names. */
export function topicOf(method: string, params: unknown): string | undefined {
  const key = topics.get(method);
  const value = key === undefined ? undefined : member(params, key);
  return typeof value === "string" ? value : undefined;
}

function relatedTask(part: unknown): unknown {
  return member(member(member(part, "_meta"), META.relatedTask), "taskId");
}

/** Id of the task that a message is about. */
export function taskOf(message: unknown): string | undefined {
  const [params, result] = [member(message, "params"), member(message, "result")];
  const candidates = [
    member(params, "taskId"),
    member(member(result, "task"), "taskId"),
    member(result, "taskId"),
    relatedTask(params),
    relatedTask(result),
  ];
  return candidates.find((one) => typeof one === "string") as string | undefined;
}
