import type { Revision } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal/revisions";
import type { TapeHttp, TapeLine } from "../../tape/index.js";
import { isMembers, type Members, NOTHING } from "../conversation.js";
import type { Around, Recorder } from "../link/link.js";

/** Way back to a client: one connection, or the response of an HTTP request. */
export interface Reply {
  (message: Members): void;
}

/** Variant of a server that the doctor shows to a client. */
export interface Script {
  /** Version that the server agrees to. Default: the requested one, if it exists. */
  readonly version?: string;
}

/** Server of a client that is examined: answers correctly, and remembers what it has received. */
export interface ScriptServer {
  readonly number: number;
  /** Receives one message of the client. */
  receive(message: unknown, text: string, reply: Reply, around?: Around): void;
  /** Receives output that is not a message. */
  text(text: string, around?: Around): void;
  /** Sends a request, and resolves with the response; undefined if there is none in time. */
  ask(method: string, params: Members | undefined, timeout: number): Promise<Members | undefined>;
  notify(method: string, params?: Members): void;
  /** True once the client has sent `notifications/initialized`. */
  readonly isOpen: boolean;
  /** Requests of the client so far, by method and with their parameters. */
  readonly requests: readonly { readonly method: string; readonly params: Members }[];
  /** Capabilities that the client declares. */
  readonly capabilities: Members;
  readonly revision: Revision;
  readonly lines: readonly TapeLine[];
  /** Sets the way on which messages of its own travel. */
  listen(reply: Reply): void;
}

const TOOLS: readonly Members[] = [
  {
    name: "echo",
    description: "Returns its text",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    "x-unknown": true,
  },
  { name: "second", description: "Is on the second page", inputSchema: { type: "object" } },
];

/** Creates a server for one conversation with a client. */
export function createScriptServer(
  recorder: Recorder,
  number: number,
  script: Script,
): ScriptServer {
  const requests: { method: string; params: Members }[] = [];
  const waiting = new Map<string, (message: Members) => void>();
  let revision: Revision = revisions.find(({ traits }) => traits.lifecycle === "initialize")!;
  let capabilities: Members = {};
  let isInitialized = false;
  let isOpen = false;
  let count = 0;
  let listener: Reply | undefined;
  const early: Members[] = [];

  const record = (message: Members, http?: TapeHttp): void => {
    recorder.add({ from: "server", conversation: number, message, ...(http && { http }) });
  };
  const push = (message: Members): void => {
    if (listener === undefined) return void early.push(message);
    record(message);
    listener(message);
  };
  const results: Readonly<Record<string, (params: Members) => Members>> = {
    initialize: ({ protocolVersion, capabilities: declared }) => {
      if (!isInitialized) capabilities = isMembers(declared) ? declared : {};
      isInitialized = true;
      const found = revisions.find(
        ({ id, traits }) => id === protocolVersion && traits.lifecycle === "initialize",
      );
      revision = found ?? revision;
      return {
        protocolVersion: script.version ?? revision.id,
        capabilities: { tools: { listChanged: true }, prompts: {}, resources: {}, logging: {} },
        serverInfo: { name: "mcp-codegen-doctor", version: "0.1.0" },
        "x-unknown": { any: ["thing"] },
      };
    },
    ping: () => ({}),
    "logging/setLevel": () => ({}),
    "tools/list": ({ cursor }) =>
      cursor === undefined
        ? { tools: TOOLS.slice(0, 1), nextCursor: "page 2/ä=" }
        : { tools: TOOLS.slice(1) },
    "tools/call": ({ arguments: given }) => ({
      content: [{ type: "text", text: isMembers(given) ? String(given["text"] ?? "") : "" }],
    }),
    "prompts/list": () => ({ prompts: [{ name: "greet", description: "Greets" }] }),
    "prompts/get": () => ({
      messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
    }),
    "resources/list": () => ({ resources: [{ uri: "doctor://one", name: "one" }] }),
    "resources/templates/list": () => ({ resourceTemplates: [] }),
    "resources/read": ({ uri }) => ({ contents: [{ uri, text: "one" }] }),
  };

  const respond = (message: Members, reply: Reply, http: TapeHttp | undefined): void => {
    const { id, method, params } = message;
    const given = isMembers(params) ? params : {};
    requests.push({ method: String(method), params: given });
    const handle = Object.hasOwn(results, String(method)) ? results[String(method)] : undefined;
    const outcome = handle
      ? { result: handle(given) }
      : { error: { code: -32601, message: "Method not found" } };
    const response = { jsonrpc: "2.0", id, ...outcome };
    record(response, http && { ...http, status: 200 });
    reply(response);
  };

  return {
    number,
    receive(message, text, reply, around = {}) {
      recorder.add({
        from: "client",
        conversation: number,
        message,
        messageText: text,
        ...around,
      });
      for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
        if (!isMembers(one)) continue;
        const { id, method } = one;
        if (method === undefined) waiting.get(String(id))?.(one);
        else if (id !== undefined && id !== null) respond(one, reply, around.http);
        else if (method === "notifications/initialized") isOpen = true;
      }
    },
    text(text, around = {}) {
      recorder.add({ from: "client", conversation: number, text, ...around });
    },
    ask(method, params, timeout) {
      const id = `${NOTHING}-${++count}`;
      return new Promise((resolve) => {
        const settle = (found: Members | undefined): void => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(found);
        };
        const timer = setTimeout(settle, timeout, undefined);
        waiting.set(id, settle);
        push({ jsonrpc: "2.0", id, method, ...(params && { params }) });
      });
    },
    notify(method, params) {
      push({ jsonrpc: "2.0", method, ...(params && { params }) });
    },
    get isOpen() {
      return isOpen;
    },
    requests,
    get capabilities() {
      return capabilities;
    },
    get revision() {
      return revision;
    },
    lines: recorder.lines,
    listen(reply) {
      listener = reply;
      for (const message of early.splice(0)) push(message);
    },
  };
}
