import { META, type Method, type Revision } from "@mcp-codegen/runtime";
import { SESSION_HEADER } from "../../record/local-http.js";
import type { TapeHttp } from "../../tape/index.js";
import { NOTHING, messageOf } from "../conversation.js";
import { type Around, type Recorder, awaited } from "../link/link.js";
import { declares } from "../visit.js";
import { type ItemKind, kindOf } from "../server/methods.js";
import { pageOf, TOOLS, USES } from "./items.js";
import { isMembers, type Members, messagesIn, member } from "../../tape/json-value.js";
import { roleOf, methodOf, sessionRevisions, statelessRevisions } from "../../checks/roles.js";
import { isStateless } from "../../checks/check.js";

/** Function that sends a message to a client: over a connection, or in the response to an HTTP request. */
export interface Reply {
  (message: Members): void;
}

/** Function that sends a message or a batch over a connection or an event stream. */
export type Channel = (message: Members | readonly Members[]) => void;

/** Manner in which a server sends a request. */
export interface Manner {
  /** True to send it in a batch, with a notification. */
  readonly batch?: boolean;
  /** Milliseconds after which it is cancelled, unless it has been answered. */
  readonly cancelAfter?: number;
  /** Channel for this request. Default: that for all messages. */
  readonly on?: Channel;
}

/** Variant of a server that the doctor shows to a client. */
export interface Script {
  /** Version that the server agrees to. Default: the requested one, if it exists. */
  readonly version?: string;
  /** True to serve sessions only: stateless requests are rejected as unknown methods. */
  readonly onlySessions?: boolean;
  /** True to reject the first tool call because of its headers. */
  readonly mismatch?: boolean;
  /** True to serve tools only. */
  readonly onlyTools?: boolean;
}

/** Request of a client. */
export interface ReceivedRequest {
  readonly method: string;
  readonly params: Members;
}

/**
 * Server for a client that is examined. It responds correctly unless its script says otherwise, and records what it
 * receives.
 */
export interface ScriptServer {
  readonly number: number;
  /** Receives one message of the client. */
  receive(message: unknown, text: string, reply: Reply, around?: Around): void;
  /** Receives an HTTP request without a message. */
  event(http: TapeHttp): void;
  /** Receives text from the client that is not a message. */
  text(text: string, around?: Around): void;
  /** Sends a request, and resolves with the response; undefined if there is none in time. */
  ask(
    method: string,
    params: Members | undefined,
    timeout: number,
    manner?: Manner,
  ): Promise<Members | undefined>;
  notify(method: string, params?: Members): void;
  /** True once the client has sent `notifications/initialized`, or a stateless request. */
  readonly isOpen: boolean;
  /** Requests that the client has sent so far. */
  readonly requests: readonly ReceivedRequest[];
  /** Capabilities that the client declares. */
  readonly capabilities: Members;
  /** True if the client has sent its capabilities, even if they are empty. */
  readonly hasDeclared: boolean;
  readonly revision: Revision;
  /** Sets the function that sends messages of the server that are not responses. */
  listen(channel: Channel): void;
  /** True once there is a function that sends messages: over HTTP, a client need not open the stream for them. */
  readonly isListening: boolean;
}

/**
 * Returns the server for a message of the client.
 * @param isNew - true to begin a new conversation
 * @param session - id of the session; without one, the last conversation continues
 */
export type ServerOf = (isNew: boolean, session?: string) => ScriptServer;

/**
 * Milliseconds before the response to the opening, and to requests with a progress token. Clients that do not wait for
 * responses send further requests meanwhile.
 */
const OVERLAP = 50;
const STATE = "state of the doctor: ä/=";
const NEXT_STATE = "next state of the doctor: ö+";
const SERVER_INFO = { name: "mcp-codegen-doctor", version: "0.1.0" };

const NOT_FOUND = { code: -32601, message: "Method not found" };

const FORM: Members = {
  mode: "form",
  message: "The doctor examines this client. Please accept, or decline.",
  requestedSchema: {
    type: "object",
    properties: { text: { type: "string", default: "yes" } },
    required: ["text"],
  },
};

/** Creates a server for one conversation with a client. */
export function createScriptServer(
  recorder: Recorder,
  number: number,
  script: Script,
): ScriptServer {
  const requests: ReceivedRequest[] = [];
  const waiting = new Map<string, (message: Members | undefined) => void>();
  let revision: Revision = sessionRevisions[0]!;
  let capabilities: Members = {};
  let isInitialized = false;
  let hasDeclared = true;
  let isOpen = false;
  let count = 0;
  let hasRefused = false;
  let listener: Channel | undefined;
  const early: (Members | readonly Members[])[] = [];

  const record = (message: unknown, http?: TapeHttp): void => {
    recorder.add({ from: "server", conversation: number, message, ...(http && { http }) });
  };
  const push = (message: Members | readonly Members[], channel = listener): void => {
    if (channel === undefined) return void early.push(message);
    record(message);
    channel(message);
  };

  const declaredAt = (at: Revision): Members => {
    const all = capabilitiesOf(at);
    return script.onlyTools ? { tools: all["tools"] } : all;
  };

  const open = ({ protocolVersion, capabilities: declared }: Members): Members => {
    if (!isInitialized) capabilities = isMembers(declared) ? declared : {};
    hasDeclared = isMembers(declared);
    isInitialized = true;
    revision = sessionRevisions.find(({ id }) => id === protocolVersion) ?? revision;
    return {
      protocolVersion: script.version ?? revision.id,
      capabilities: declaredAt(revision),
      serverInfo: SERVER_INFO,
      "x-unknown": { any: ["thing"] },
    };
  };

  /**
   * Returns the result of a request; undefined for a method that the revision does not define, or that clients do not
   * send.
   */
  const resultOf = (method: string, params: Members): Members | undefined => {
    const row = revision.methods.get(method);
    if (roleOf(method) === "initialize") return open(params);
    if (row === undefined || row.from === "server") return undefined;
    if (!declares(declaredAt(revision), row.capability)) return undefined;
    const list = revision.families.find((family) => family.list === method);
    if (list !== undefined) return pageOf(list, params, isStateless(revision));
    if (row.role === "discover") {
      return {
        supportedVersions: statelessRevisions.map((one) => one.id),
        capabilities: declaredAt(revision),
      };
    }
    if (row.role === "listen") return undefined;
    const used = revision.families.find(({ use }) => use === method);
    if (used !== undefined) {
      const question = row.inputResult && questionFor(kindOf(used), params);
      if (question !== undefined) return question;
      return USES[kindOf(used)](params);
    }
    if (method === "completion/complete") return { completion: { values: [] } };
    return {};
  };

  /**
   * Input that is required before a use, if the client can provide it but has not done so: in two rounds with different
   * states for the first tool, with a state alone for a resource, and without one for the others.
   */
  const questionFor = (
    kind: ItemKind,
    { name, inputResponses, requestState }: Members,
  ): Members | undefined => {
    const form = { method: "elicitation/create", params: FORM };
    const isFirst = name === TOOLS[0]!["name"];
    const keys = isMembers(inputResponses) ? Object.keys(inputResponses) : [];
    if (isFirst && requestState === STATE && keys.join() === "form") {
      return {
        resultType: "input_required",
        requestState: NEXT_STATE,
        inputRequests: { again: form },
      };
    }
    const isAnswer = inputResponses !== undefined || requestState !== undefined;
    if (isAnswer || !Object.hasOwn(capabilities, "elicitation")) return undefined;
    const hasState = kind === "resource" || isFirst;
    return {
      resultType: "input_required",
      ...(hasState && { requestState: STATE }),
      ...(kind !== "resource" && { inputRequests: { form } }),
    };
  };

  const outcomeOf = (method: string, params: Members): Members => {
    const meta = isMembers(params["_meta"]) ? params["_meta"] : {};
    const named = meta[META.revision];
    if (named !== undefined && script.onlySessions === true) return { error: NOT_FOUND };
    if (named !== undefined) {
      const declared = meta[META.clientCapabilities];
      capabilities = isMembers(declared) ? declared : {};
      revision = statelessRevisions.find((one) => one.id === named) ?? statelessRevisions[0]!;
      const codes = revision.errorCodes;
      if (script.version !== undefined || named !== revision.id) {
        const supported = [script.version ?? revision.id];
        return {
          error: {
            code: codes["UNSUPPORTED_PROTOCOL_VERSION"],
            message: "The protocol version is not supported",
            data: { supported, requested: named },
          },
        };
      }
      isOpen = true;
      if (script.mismatch && !hasRefused && revision.methods.get(method)?.paramHeaders) {
        hasRefused = true;
        const message = "The headers do not match the body";
        return { error: { code: codes["HEADER_MISMATCH"], message } };
      }
    }
    const result = resultOf(method, params);
    if (result === undefined) return { error: NOT_FOUND };
    return {
      result: isStateless(revision) ? enveloped(revision.methods.get(method), result) : result,
    };
  };

  const respond = (message: Members, reply: Reply, http: TapeHttp | undefined): void => {
    const { id, method, params } = message;
    const given = isMembers(params) ? params : {};
    requests.push({ method: String(method), params: given });
    const outcome = outcomeOf(String(method), given);
    if (roleOf(method) === "listen" && isStateless(revision) && isOpen) {
      return acknowledge(id, given, reply, http);
    }
    const response = { jsonrpc: "2.0", id, ...outcome };
    const opens = roleOf(method) === "initialize";
    const around = http && {
      exchange: http.exchange!,
      status: statusOf(revision, outcome),
      headers: {
        "content-type": "application/json",
        ...(opens && { [SESSION_HEADER]: sessionIdOf(number) }),
      },
    };
    const send = (): void => {
      record(response, around);
      reply(response);
    };
    const { progressToken } = isMembers(given["_meta"]) ? given["_meta"] : {};
    if (progressToken === undefined && !opens) send();
    else setTimeout(send, OVERLAP);
  };

  /** Acknowledges a subscription. */
  const acknowledge = (
    id: unknown,
    { notifications }: Members,
    reply: Reply,
    http: TapeHttp | undefined,
  ): void => {
    const method = methodOf(revision, "acknowledged");
    const params = { notifications, _meta: { [META.subscription]: id } };
    const message = { jsonrpc: "2.0", method, params };
    record(message, http && { exchange: http.exchange!, status: 200, stream: true });
    reply(message);
  };

  return {
    number,
    receive(message, words, reply, around = {}) {
      recorder.add({
        from: "client",
        conversation: number,
        message,
        messageText: words,
        ...around,
      });
      for (const one of messagesIn(message)) {
        if (!isMembers(one)) continue;
        const { id, method } = one;
        if (method === undefined) waiting.get(String(id))?.(one);
        else if (id !== undefined && id !== null) respond(one, reply, around.http);
        else if (roleOf(method) === "initialized") isOpen = true;
      }
    },
    event(http) {
      recorder.add({ from: "client", conversation: number, event: "request", http });
    },
    text(words, around = {}) {
      recorder.add({ from: "client", conversation: number, text: words, ...around });
    },
    ask(method, params, timeout, { batch = false, cancelAfter, on } = {}) {
      const id = ++count % 2 === 0 ? `${NOTHING}-${count}` : count;
      const answer = awaited(waiting, String(id), timeout);
      const message = messageOf(method, params, id);
      const notice = messageOf(`notifications/${NOTHING}`);
      push(batch ? [notice, message] : message, on);
      if (cancelAfter === undefined) return answer;
      const cancel = (): void => push(messageOf("notifications/cancelled", { requestId: id }));
      const timer = setTimeout(cancel, cancelAfter);
      return answer.finally(() => clearTimeout(timer));
    },
    notify: (method, params) => push(messageOf(method, params)),
    get isOpen() {
      return isOpen;
    },
    requests,
    get capabilities() {
      return capabilities;
    },
    get hasDeclared() {
      return hasDeclared;
    },
    get revision() {
      return revision;
    },
    get isListening() {
      return listener !== undefined;
    },
    listen(channel) {
      listener = channel;
      for (const message of early.splice(0)) push(message);
    },
  };
}

/** Returns the session id of a server. */
export function sessionIdOf(number: number): string {
  return `doctor-${number}`;
}

/** Returns the HTTP status of an outcome in a revision. */
export function statusOf({ errorCodes, conventions }: Revision, { error }: Members): number {
  const code = member(error, "code");
  const [name] = Object.entries(errorCodes).find(([, one]) => one === code) ?? [];
  return (name === undefined ? undefined : conventions.errorStatuses[name]) ?? 200;
}

/** Members that each stateless result has. */
function enveloped(row: Method | undefined, result: Members): Members {
  const isFinal = result["resultType"] === undefined;
  return {
    resultType: "complete",
    ...(row?.cacheable && isFinal && { ttlMs: 0, cacheScope: "private" }),
    ...result,
    _meta: { [META.serverInfo]: SERVER_INFO },
  };
}

/** Returns the capabilities of a server with all lists of the revision. */
function capabilitiesOf({ families, methods }: Revision): Members {
  const lists = families.flatMap((family) => {
    const [owner, name] = family.capability?.split(".") ?? [];
    if (owner !== "server" || name === undefined) return [];
    return [[name, kindOf(family) === "tool" ? { listChanged: true } : {}] as const];
  });
  const completes = methods.get("completion/complete")?.capability !== undefined;
  return {
    ...Object.fromEntries(lists),
    ...(methods.has("logging/setLevel") && { logging: {} }),
    ...(completes && { completions: {} }),
  };
}
