import { type FamilyKind, META, type Revision } from "@mcp-codegen/runtime";
import { SESSION_HEADER } from "../../record/local-http.js";
import type { TapeHttp } from "../../tape/index.js";
import { NOTHING } from "../conversation.js";
import { DOCTOR_INFO, messageOf } from "../outgoing.js";
import { type Around, type Recorder, awaited } from "../link/link.js";
import { declares } from "../visit.js";
import { inputFor, misplacedInput, undeclaredInputs } from "./rounds.js";
import {
  capabilitiesOf,
  enveloped,
  isFirstTool,
  toolOf,
  pageOf,
  pageOfUnknownType,
  statusOf,
  USES,
} from "./items.js";
import { type Trap, trappedTool } from "./traps.js";
import { isMembers, member, type Members, messagesIn } from "../../tape/json-value.js";
import { roleOf, methodOf, sessionRevisions, statelessRevisions } from "../../checks/roles.js";
import { isStateless } from "../../checks/check.js";

/** A function that sends a message to a client, over a connection or in an HTTP response. */
export interface Reply {
  (message: Members): void;
}

/** A function that sends a message or a batch over a connection or an event stream. */
export type Channel = (message: Members | readonly Members[]) => void;

export interface Manner {
  /** The request's id. Default: alternates between a number, a string of digits, and a word. */
  readonly id?: string | number;
  /** True to send the request in a batch, after a request with an unknown method, a ping and a notification. */
  readonly batch?: boolean;
  /** The time after which the request is cancelled if it is still unanswered, in milliseconds. */
  readonly cancelAfter?: number;
  /** The channel for this request. Default: the channel for all messages. */
  readonly on?: Channel;
}

/** A variant of the server that the doctor presents to a client. */
export interface Script {
  /** The version to which the server agrees. Default: the requested one, if it exists. */
  readonly version?: string;
  /** The name of the error with which stateless requests are refused, or true to refuse `initialize` with -32602. */
  readonly refusal?: string | true;
  /**
   * True or an error code to serve only sessions. Stateless requests are rejected with this code or, if true, as
   * unknown methods.
   */
  readonly onlySessions?: boolean | number;
  /** True to reject the first tool call because of its headers. From then on, the tools have other annotations. */
  readonly mismatch?: boolean;
  /** True to serve only tools, and in an unusual way: with pings, results without a type, and undeclared input. */
  readonly onlyTools?: boolean;
  /** The trap that a tool on the last page names. */
  readonly trap?: Trap | undefined;
  /** The version to which a session agrees that replaces a lost one. Default: `version`. */
  readonly versionAgain?: string;
  /** Returns a promise that delays the response to a request until it resolves; undefined for no delay. */
  readonly held?: (method: unknown, isOpen: boolean) => Promise<void> | undefined;
  /** True to return a page of tools with a `resultType` that does not exist, and to require input for other lists. */
  readonly unknownType?: boolean;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly params: Members;
}

/** A server for the client under examination. It responds correctly unless its script says otherwise. */
export interface ScriptServer {
  readonly number: number;
  receive(message: unknown, text: string, reply: Reply, around?: Around): void;
  /** Receives an HTTP request that has no message. */
  event(http: TapeHttp): void;
  /** Receives text that is not a message. */
  text(text: string, around?: Around): void;
  /** Sends a request. Resolves to undefined if no response arrives in time. */
  ask(
    method: string,
    params: Members | undefined,
    timeout: number,
    manner?: Manner,
  ): Promise<Members | undefined>;
  notify(method: string, params?: Members): void;
  /**
   * The pings that were sent before the response to a request, each as the request's method and the response to the
   * ping.
   */
  readonly pings: readonly (readonly [method: string, pong: Promise<Members | undefined>])[];
  /** Resolves to false if the client did not answer a ping whose id was that of the client's own pending request. */
  readonly twinned: Promise<boolean>;
  /** The methods of the requests for the first tool whose result required input. */
  readonly asked: readonly string[];
  /** The number of results with nothing but a state for which the client has not yet repeated its request. */
  readonly owed: number;
  /** True once the client has sent `notifications/initialized` or a stateless request. */
  readonly isOpen: boolean;
  readonly requests: readonly ReceivedRequest[];
  readonly capabilities: Members;
  /** True if the client has sent its capabilities, even if they are empty. */
  readonly hasDeclared: boolean;
  readonly revision: Revision;
  /** Sets the channel on which messages other than responses are sent. */
  listen(channel: Channel): void;
  /**
   * True once `listen` has been called. Over HTTP, this happens when the client opens a stream, which it need not do.
   */
  readonly isListening: boolean;
}

/**
 * A function that returns the server for a message from the client.
 *
 * @param isNew - true to begin a new conversation
 * @param session - the session's id; without one, the last conversation continues
 */
export type ServerOf = (isNew: boolean, session?: string) => ScriptServer;

/**
 * The delay of the response to the opening, and to requests with a progress token, in milliseconds. Clients that do not
 * wait for responses send further requests in the meantime.
 */
const OVERLAP = 50;
/** The delay of other stateless responses, in milliseconds, so that requests sent together are in flight together. */
const BRIEF = 20;
/** The maximum time to wait for the response to a ping that precedes a request's response, in milliseconds. */
const PONG_WITHIN = 1_500;

const UNSUPPORTED = "UNSUPPORTED_PROTOCOL_VERSION";
const NOT_FOUND = { code: -32601, message: "Method not found" };

/** Creates a server for one conversation with a client. */
export function createScriptServer(
  recorder: Recorder,
  number: number,
  script: Script,
): ScriptServer {
  const requests: ReceivedRequest[] = [];
  const waiting = new Map<string, (message: Members | undefined) => void>();
  const cancelled = new Set<unknown>();
  let revision: Revision = sessionRevisions[0]!;
  let capabilities: Members = {};
  let isInitialized = false;
  let hasDeclared = true;
  let isOpen = false;
  let count = 0;
  let hasRefused = false;
  let questions = 0;
  let twinned: Promise<boolean> = Promise.resolve(true);
  const asked: string[] = [];
  let owed = 0;
  let listener: Channel | undefined;
  const early: (Members | readonly Members[])[] = [];
  const pings: [method: string, pong: Promise<Members | undefined>][] = [];

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
    const agreed = script.version ?? protocolVersion;
    revision = sessionRevisions.find(({ id }) => id === agreed) ?? revision;
    return {
      protocolVersion: script.version ?? revision.id,
      capabilities: declaredAt(revision),
      serverInfo: DOCTOR_INFO,
      "x-unknown": { any: ["thing"] },
    };
  };

  const resultOf = (method: string, params: Members): Members | undefined => {
    const row = revision.methods.get(method);
    if (roleOf(method) === "initialize") return open(params);
    if (script.unknownType && method === "tools/list") return pageOfUnknownType;
    if (row === undefined || row.from === "server") return undefined;
    if (!declares(declaredAt(revision), row.capability)) return undefined;
    const list = revision.families.find((family) => family.list === method);
    if (list !== undefined && script.unknownType) return misplacedInput(capabilities);
    if (list !== undefined) {
      const more = script.trap && list.kind === "tool" ? trappedTool(script.trap, revision) : [];
      return pageOf(list, params, { isLong: isStateless(revision), isOther: hasRefused, more });
    }
    if (row.role === "discover") {
      return {
        supportedVersions: statelessRevisions.map((one) => one.id),
        capabilities: declaredAt(revision),
      };
    }
    if (row.role === "listen") return undefined;
    const used = revision.families.find(({ use }) => use === method);
    if (used !== undefined) {
      const question = row.inputResult && questionFor(used.kind, params);
      if (isFirstTool(params) && question?.["inputRequests"] !== undefined) asked.push(method);
      const { inputResponses, requestState } = params;
      if (requestState !== undefined && inputResponses === undefined) owed--;
      if (question?.["requestState"] !== undefined && !question["inputRequests"]) owed++;
      if (question !== undefined) return question;
      return USES[used.kind](params);
    }
    if (method === "completion/complete") return { completion: { values: [] } };
    return {};
  };

  const questionFor = (kind: FamilyKind, params: Members): Members | undefined => {
    if (!script.onlyTools) return inputFor(kind, toolOf(params), params, capabilities);
    if (params["inputResponses"] !== undefined) return undefined;
    const inputs = undeclaredInputs(capabilities);
    const input = inputs[questions++ % inputs.length];
    return input && { resultType: "input_required", inputRequests: Object.fromEntries([input]) };
  };

  const outcomeOf = (method: string, params: Members): Members => {
    const meta = isMembers(params["_meta"]) ? params["_meta"] : {};
    const named = meta[META.revision];
    const { onlySessions, refusal } = script;
    if (named !== undefined && onlySessions !== undefined && onlySessions !== false) {
      if (onlySessions === true) return { error: NOT_FOUND };
      return { error: { code: onlySessions, message: "The session is not known" } };
    }
    if (refusal === true && roleOf(method) === "initialize") {
      const supported = statelessRevisions.map(({ id }) => id);
      return { error: { code: -32602, message: "Unsupported version", data: { supported } } };
    }
    if (named !== undefined) {
      const declared = meta[META.clientCapabilities];
      capabilities = isMembers(declared) ? declared : {};
      revision = statelessRevisions.find((one) => one.id === named) ?? statelessRevisions[0]!;
      const codes = revision.errorCodes;
      const isUnsupported = script.version !== undefined || named !== revision.id;
      const why = typeof refusal === "string" ? refusal : isUnsupported && UNSUPPORTED;
      if (why !== false) {
        const supported = [script.version ?? revision.id];
        const data = { supported, requested: named, requiredCapabilities: { sampling: {} } };
        return { error: { code: codes[why], message: "The request is not served", data } };
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
      result: isStateless(revision)
        ? enveloped(revision.methods.get(method), result, script.onlyTools !== true)
        : result,
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
        ...(opens && !script.onlyTools && { [SESSION_HEADER]: sessionIdOf(number) }),
      },
    };
    const send = (): void => {
      record(response, around);
      reply(response);
    };
    const { progressToken } = isMembers(given["_meta"]) ? given["_meta"] : {};
    const isUsed = revision.families.some(({ use }) => use === method);
    const isFirst = !pings.some(([before]) => before === method);
    const isPinged = script.onlyTools && !isStateless(revision) && listener !== undefined;
    const held = script.held?.(method, isOpen);
    if (held !== undefined) return void held.then(() => cancelled.has(id) || send());
    if (isPinged && isFirst && (opens || isUsed)) {
      // The id must not match a request from the client, because that case is examined separately.
      const pong = ask("ping", undefined, PONG_WITHIN, { id: `${NOTHING}-${method}` });
      pings.push([String(method), pong]);
      // During its opening, a client may answer a ping later.
      if (!opens) {
        twinned = twin(pong, id);
        return void twinned.then(send);
      }
    }
    const isBrief = progressToken === undefined && !opens;
    if (isBrief && !isStateless(revision)) send();
    else setTimeout(send, isBrief ? BRIEF : OVERLAP);
  };

  /** Sends another ping, with the id of the client's pending request. */
  const twin = async (pong: Promise<Members | undefined>, id: unknown): Promise<boolean> => {
    const isId = typeof id === "string" || typeof id === "number";
    if ((await pong) === undefined || !isId) return true;
    return (await ask("ping", undefined, PONG_WITHIN, { id })) !== undefined;
  };

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

  const ask: ScriptServer["ask"] = (
    method,
    params,
    timeout,
    { id = nextId(), batch = false, cancelAfter, on } = {},
  ) => {
    const answer = awaited(waiting, String(id), timeout);
    const message = messageOf(method, params, id);
    if (!batch) push(message, on);
    else {
      const others = [
        messageOf(`${NOTHING}/method`, undefined, nextId()),
        messageOf("ping", undefined, nextId()),
      ];
      const answers = others.map((one) => awaited(waiting, String(one["id"]), timeout));
      push([...others, messageOf(`notifications/${NOTHING}`), message]);
      return Promise.all([answer, ...answers]).then((all) =>
        all.includes(undefined) ? undefined : all[0],
      );
    }
    if (cancelAfter === undefined) return answer;
    const cancel = (): void => push(messageOf("notifications/cancelled", { requestId: id }));
    const timer = setTimeout(cancel, cancelAfter);
    return answer.finally(() => clearTimeout(timer));
  };

  const nextId = (): string | number => {
    const forms = [++count, String(count), `${NOTHING}-${count}`];
    return forms[(count - 1) % forms.length]!;
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
        else if (roleOf(method) === "cancelled") cancelled.add(member(one["params"], "requestId"));
      }
    },
    event(http) {
      recorder.add({ from: "client", conversation: number, event: "request", http });
    },
    text(words, around = {}) {
      recorder.add({ from: "client", conversation: number, text: words, ...around });
    },
    ask,
    pings,
    get twinned() {
      return twinned;
    },
    asked,
    get owed() {
      return owed;
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

export function sessionIdOf(number: number): string {
  return `doctor-${number}`;
}
