import { META } from "@mcp-codegen/runtime";
import { canonicalText } from "../../tape/index.js";
import { type GroupKind, type Row, taskOf, topicOf } from "./row.js";
import { member, isMembers } from "../../tape/json-value.js";
import { roleOf } from "../../checks/roles.js";

export interface Grouping {
  add(row: Row): void;
}

export function grouping(): Grouping {
  /**
   * The first row of each group, by a key such as `token 7`, `task t-1`, `topic file:///a`, `round …` or `exchange 3`.
   * Later rows refer to a group by its key.
   */
  const firsts = new Map<string, Row>();
  const inFlight = new Set<Row>();
  /** The request that was rejected with 401. Later rows join its group until the client sends another request. */
  let login: Row | undefined;

  const note = (key: string, row: Row): void => {
    firsts.set(key, firstOf(row));
    if (firsts.size > MOST_KEYS) firsts.delete(firsts.keys().next().value!);
  };
  const find = (kind: string, value: unknown): Row | undefined =>
    value === undefined ? undefined : firsts.get(keyOf(kind, value));

  const onlyOpen = (): Row | undefined => {
    if (inFlight.size > MOST_OPEN) return undefined;
    const open = [...inFlight].filter(({ method }) => roleOf(method) !== "listen");
    return open.length === 1 ? open[0] : undefined;
  };

  const addRequest = (row: Row): void => {
    const params = member(row.message, "params");
    const [round, task, topic] = [roundKey(row), taskOf(row.message), topicOf(row.method, params)];
    const refused = login;
    if (row.line.from === "client") login = undefined;
    if (row.line.from === "server") {
      const exchange = find("exchange", row.line.http?.exchange);
      join(row, find("task", task) ?? exchange ?? onlyOpen(), "call");
    } else if (refused !== undefined && roundKey(refused) === round) join(row, refused, "login");
    else if (!join(row, find("round", round), "rounds")) {
      if (!join(row, find("task", task), "task")) join(row, find("topic", topic), "subscription");
    }
    firsts.delete(keyOf("round", round));
    const token = member(member(params, "_meta"), "progressToken");
    if (token !== undefined) note(keyOf("token", token), row);
    if (task !== undefined) note(keyOf("task", task), row);
    if (topic !== undefined) note(keyOf("topic", topic), row);
    note(`id ${row.line.from} ${row.id}`, row);
    if (row.line.from === "client") inFlight.add(row);
  };

  const addResponse = (row: Row): void => {
    const { request } = row;
    if (request === undefined) return;
    inFlight.delete(request);
    const task = taskOf(row.message);
    join(row, request, task === undefined ? "call" : "task");
    if (task !== undefined && find("task", task) === undefined) note(keyOf("task", task), request);
    if (member(member(row.message, "result"), "inputRequests") !== undefined) {
      note(keyOf("round", roundKey(request)), request);
      firstOf(request).group = "rounds";
    }
  };

  const addNotification = (row: Row): void => {
    const params = member(row.message, "params");
    const listen = member(member(params, "_meta"), META.subscription);
    const subscribed = listen === undefined ? undefined : firsts.get(idKey("client", listen));
    if (join(row, subscribed, "subscription")) return;
    if (join(row, find("topic", topicOf(row.method, params)), "subscription")) return;
    if (join(row, find("token", member(params, "progressToken")), "call")) return;
    const cancelled = member(params, "requestId");
    const side = row.line.from;
    if (cancelled !== undefined && join(row, firsts.get(idKey(side, cancelled)), "call")) return;
    if (join(row, find("task", taskOf(row.message)), "task")) return;
    if (row.line.from === "client") return;
    join(row, find("exchange", row.line.http?.exchange) ?? onlyOpen(), "call");
  };

  return {
    add(row) {
      const { http, from } = row.line;
      if (row.kind === "request") addRequest(row);
      else if (row.kind === "result" || row.kind === "error") addResponse(row);
      else if (row.kind === "notification") addNotification(row);
      else if (login !== undefined) join(row, login, "login");
      else if (row.kind === "event") join(row, find("exchange", http?.exchange), "call");
      if (http?.exchange === undefined) return;
      if (from === "client") note(keyOf("exchange", http.exchange), row);
      else if (http.status === 401) login = row.request ?? find("exchange", http.exchange);
    },
  };
}

/** Adds a row to another row's group. Returns false if the row itself begins that group. */
function join(row: Row, first: Row | undefined, kind: GroupKind): boolean {
  const parent = first && firstOf(first);
  if (parent === undefined || parent === row) return false;
  row.parent = parent;
  parent.children.push(row);
  if (RANK[kind] > RANK[parent.group]) parent.group = kind;
  return true;
}

/** The rank of each kind of group. A more specific kind has a higher rank and takes precedence. */
const RANK: Readonly<Record<GroupKind, number>> = {
  call: 0,
  subscription: 1,
  task: 2,
  rounds: 3,
  login: 4,
};

const MOST_KEYS = 100_000;
/** The maximum number of requests in flight among which to search for the only open one. */
const MOST_OPEN = 20;

function firstOf(row: Row): Row {
  return row.parent ?? row;
}

function keyOf(kind: string, value: unknown): string {
  return `${kind} ${JSON.stringify(value)}`;
}

function idKey(side: string | undefined, id: unknown): string {
  return `id ${side} ${JSON.stringify(id)}`;
}

/** The maximum length of a line whose parameters are compared, in characters. */
const LONGEST = 100_000;

/** Returns a key that is usually the same for all rounds of one call. Very long or deep parameters are not compared. */
function roundKey({ method, message, line }: Row): string {
  const params = member(message, "params");
  if (!isMembers(params)) return method;
  if ((line.source?.length ?? 0) > LONGEST) return `${method} ${line.n}`;
  const { _meta: _, inputResponses: __, requestState: ___, ...rest } = params;
  try {
    return `${method} ${canonicalText(rest)}`;
  } catch {
    // The parameters are nested too deeply to be compared.
    return `${method} ${line.n}`;
  }
}
