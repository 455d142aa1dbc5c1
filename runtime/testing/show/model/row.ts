import { META, type Revision } from "@mcp-codegen/runtime";
import type { Finding } from "../../checks/index.js";
import type { TapeLine } from "../../tape/index.js";
import { member } from "../../tape/json-value.js";
import { revisions } from "@mcp-codegen/universal/revisions";

/** The kind of a row. `other` is JSON that is not a JSON-RPC message. */
export type RowKind = "request" | "notification" | "result" | "error" | "text" | "event" | "other";

export type GroupKind = "call" | "rounds" | "task" | "subscription" | "login";

/** One message, event, or line of other output on a tape. Each message of a batch has its own row. */
export interface Row {
  readonly index: number;
  readonly line: TapeLine;
  /** The pointer to the message within the line, such as `/1` for the second message in a batch. */
  readonly place: string;
  readonly message: unknown;
  readonly kind: RowKind;
  /** The id's JSON text; empty if there is no id. */
  readonly id: string;
  /** The method; for a response, its request's method. Empty if it is unknown. */
  readonly method: string;
  /** The item that the message is about: a tool's name, a URI, or a task's id. */
  readonly name: string;
  /** The message's revision; undefined before one has been negotiated. */
  readonly revision: Revision | undefined;
  /** The request that this response belongs to. */
  readonly request: Row | undefined;
  response: Row | undefined;
  /** The time between the request and its response, in milliseconds. It is the same in both rows. */
  duration: number | undefined;
  /** True for an error, a result that reports one, or an HTTP status of 400 or higher. */
  readonly hasFailed: boolean;
  readonly findings: Finding[];
  /** The group's first row. Undefined for the first row itself, and for a row without a group. */
  parent: Row | undefined;
  readonly children: Row[];
  group: GroupKind;
}

/** True if the row begins a group that has more than just a request and its response. */
export function beginsGroup({ children }: Row): boolean {
  return children.length > 1;
}

/** Returns the row that begins a row's group. A request with only its response does not count as a group. */
export function groupOf({ parent }: Row): Row | undefined {
  return parent !== undefined && beginsGroup(parent) ? parent : undefined;
}

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

export function nameOf(method: string, params: unknown): string {
  for (const name of namingMembers(method)) {
    const value = member(params, name);
    if (typeof value === "string") return value.slice(0, 200);
  }
  return "";
}

const topics = new Map(
  revisions
    .flatMap(({ families }) => families)
    .flatMap(({ subscribe, updated, key }) =>
      [subscribe, updated].flatMap((method) =>
        method === undefined ? [] : [[method, key] as const],
      ),
    ),
);

export function topicOf(method: string, params: unknown): string | undefined {
  const key = topics.get(method);
  const value = key === undefined ? undefined : member(params, key);
  return typeof value === "string" ? value : undefined;
}

function relatedTask(part: unknown): unknown {
  return member(member(member(part, "_meta"), META.relatedTask), "taskId");
}

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
