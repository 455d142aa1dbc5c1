import { META, type Revision } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal/revisions";
import { createJudge, type Finding } from "../../checks/index.js";
import type { TapeLine } from "../../tape/index.js";
import { type Grouping, grouping } from "./groups.js";
import { hasFailed, kindOf, messagesOf, nameOf, type Row } from "./row.js";
import { member } from "../../tape/json-value.js";
import { roleOf } from "../../checks/roles.js";
import { otherSide } from "../../checks/conversation.js";

/** The information that both sides state about themselves. Some revisions repeat it in each message. */
export interface Peers {
  clientInfo?: unknown;
  clientCapabilities?: unknown;
  serverInfo?: unknown;
}

export interface Rows {
  readonly rows: readonly Row[];
  /** All findings, as `check-tape` would report them. */
  readonly findings: readonly Finding[];
  readonly problem: string | undefined;
  add(line: TapeLine): void;
  end(): void;
  peersOf(row: Row): Peers;
}

interface Conversation extends Grouping {
  readonly requests: Map<string, Row>;
  readonly peers: Peers;
  revision: Revision | undefined;
  last: Row | undefined;
}

export function readRows(): Rows {
  const judge = createJudge();
  const rows: Row[] = [];
  const findings: Finding[] = [];
  const byLine = new Map<number, Row[]>();
  const conversations = new Map<number, Conversation>();
  let problem: string | undefined;

  const conversationOf = (number: number): Conversation => {
    let found = conversations.get(number);
    if (found === undefined) {
      found = {
        ...grouping(),
        requests: new Map(),
        peers: {},
        revision: undefined,
        last: undefined,
      };
      conversations.set(number, found);
    }
    return found;
  };

  const attach = (finding: Finding): void => {
    findings.push(finding);
    const own = byLine.get(finding.n ?? -1) ?? [];
    const row =
      own.find(({ place }) => place !== "" && `${finding.pointer}/`.startsWith(`${place}/`)) ??
      own[0] ??
      conversations.get(finding.conversation)?.last;
    row?.findings.push(finding);
  };

  const judged = (act: () => readonly Finding[]): void => {
    if (problem !== undefined) return;
    try {
      act().forEach(attach);
    } catch (error) {
      problem = `Messages could not be judged: ${(error as Error).message}`;
    }
  };

  return {
    rows,
    findings,
    get problem() {
      return problem;
    },
    add(line) {
      const conversation = conversationOf(line.conversation);
      const own = messagesOf(line).map(([place, message]) => {
        const row = rowOf(rows.length, line, place, message, conversation);
        rows.push(row);
        conversation.add(row);
        conversation.last = row;
        return row;
      });
      byLine.set(line.n, own);
      judged(() => judge.add(line));
    },
    end: () => judged(() => judge.end()),
    peersOf: ({ line }) => conversations.get(line.conversation)?.peers ?? {},
  };
}

function rowOf(
  index: number,
  line: TapeLine,
  place: string,
  message: unknown,
  conversation: Conversation,
): Row {
  const kind = kindOf(line, message);
  const value = member(message, "id");
  const id = value === undefined ? "" : JSON.stringify(value).slice(0, 100);
  const isResponse = kind === "result" || kind === "error";
  const key = `${isResponse ? otherSide(line.from!) : line.from} ${id}`;
  const request = isResponse ? conversation.requests.get(key) : undefined;
  const method = request?.method ?? textOf(member(message, "method"));
  settle(conversation, request, line, message, method);
  const row: Row = {
    index,
    line,
    place,
    message,
    kind,
    id,
    method,
    name: request?.name ?? nameOf(method, member(message, "params")),
    revision: request?.revision ?? named(message) ?? conversation.revision,
    request,
    response: undefined,
    duration: request && line.t - request.line.t,
    hasFailed: hasFailed(kind, line, message),
    findings: [],
    parent: undefined,
    children: [],
    group: "call",
  };
  if (kind === "request") conversation.requests.set(key, row);
  if (request) {
    conversation.requests.delete(key);
    request.response = row;
    request.duration = row.duration;
  }
  return row;
}

function settle(
  conversation: Conversation,
  request: Row | undefined,
  { from }: TapeLine,
  message: unknown,
  method: string,
): void {
  const { peers } = conversation;
  const [params, result] = [member(message, "params"), member(message, "result")];
  const meta = member(params, "_meta");
  const role = roleOf(method);
  if (from === "client" && request === undefined) {
    peers.clientInfo = member(meta, META.clientInfo) ?? peers.clientInfo;
    peers.clientCapabilities = member(meta, META.clientCapabilities) ?? peers.clientCapabilities;
    if (role === "initialize") {
      peers.clientInfo = member(params, "clientInfo");
      peers.clientCapabilities = member(params, "capabilities");
    }
  }
  if (from !== "server" || result === undefined) return;
  peers.serverInfo = member(member(result, "_meta"), META.serverInfo) ?? peers.serverInfo;
  if (role !== "initialize") return;
  peers.serverInfo = member(result, "serverInfo");
  conversation.revision = revisionOf(member(result, "protocolVersion")) ?? conversation.revision;
}

function named(message: unknown): Revision | undefined {
  const params = member(message, "params");
  return (
    revisionOf(member(member(params, "_meta"), META.revision)) ??
    revisionOf(member(params, "protocolVersion"))
  );
}

function revisionOf(value: unknown): Revision | undefined {
  return revisions.find(({ id }) => id === value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 200) : "";
}
