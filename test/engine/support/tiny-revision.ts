import {
  methodTable,
  notification,
  optional,
  request,
} from "../../../runtime/wire/revision/method-table.js";
import type {
  Condition,
  Conventions,
  Revision,
  Traits,
} from "../../../runtime/wire/revision/revision.js";
import type { Trace, Validator } from "../../../runtime/wire/validation/validator.js";

/** Members by name, each with its required type. A trailing `?` makes a member optional. */
type Members = Readonly<Record<string, "string" | "number" | "object" | "array" | "id">>;

/** Creates a handwritten validator that is as small as possible. */
export function objectOf(members: Members): Validator {
  return (value: unknown, trace?: Trace): value is unknown => {
    if (!isObject(value)) {
      trace?.push({ path: "", expected: "object", received: typeOf(value) });
      return false;
    }
    let isValid = true;
    for (const [key, expected] of Object.entries(members)) {
      const name = key.replace(/\?$/, "");
      const member = value[name];
      const isMissing = member === undefined && key.endsWith("?");
      if (isMissing || is(expected, member)) continue;
      isValid = false;
      trace?.push({ path: `/${name}`, expected, received: typeOf(member) });
    }
    return isValid;
  };
}

const anything = objectOf({});
const initializeParams = objectOf({
  protocolVersion: "string",
  capabilities: "object",
  clientInfo: "object",
});
const initializeResult = objectOf({
  protocolVersion: "string",
  capabilities: "object",
  serverInfo: "object",
  "instructions?": "string",
});
const cancelledParams = objectOf({ requestId: "id", "reason?": "string" });
const progressParams = objectOf({ progressToken: "id", progress: "number", "total?": "number" });

const askConditions: readonly Condition[] = [
  { member: "secret", capability: "client.ask.secret" },
  {
    member: "mode",
    in: ["form"],
    orAbsent: true,
    capability: "client.ask.form",
    orEmpty: "client.ask",
  },
  { member: "context", capability: "client.ask.context", level: "should" },
  { member: "task", capability: "client.tasks", level: "should", unmet: "drop" },
];

const TRAITS: Traits = {
  lifecycle: "initialize",
  serverRequests: "wire",
  batching: false,
  envelope: "outside",
  requestMeta: "optional",
  resultType: false,
  cacheable: false,
  errorId: "required",
  tasks: true,
  progressMessage: true,
};

const CONVENTIONS: Conventions = {
  http: "streamable",
  versionHeader: true,
  polling: true,
  toolInputErrors: "result",
  fallbackStatuses: [404],
  methodHeaders: false,
  errorStatuses: {},
  reservedErrors: [],
};

/** Creates a revision with one method of each kind. */
export function tinyRevision(id = "one", traits: Partial<Traits> = {}): Revision {
  return {
    id,
    traits: { ...TRAITS, ...traits },
    conventions: CONVENTIONS,
    errorCodes: {},
    families: [],
    requestParams: objectOf({ "_meta?": "object" }),
    notificationParams: objectOf({ "_meta?": "object" }),
    methods: methodTable([
      request("initialize", "client", initializeParams, initializeResult, { role: "initialize" }),
      request("ping", "both", optional(anything), anything, { role: "ping" }),
      request("text/echo", "client", objectOf({ text: "string" }), objectOf({ text: "string" }), {
        capability: "server.text",
        declares: { text: {} },
      }),
      request("text/work", "client", optional(anything), anything, {
        taskResult: objectOf({ task: "object" }),
      }),
      request("text/watch", "client", optional(anything), anything, {
        capability: "server.text.watch",
        declares: { text: { watch: true } },
      }),
      request("user/ask", "server", optional(anything), objectOf({ answer: "string" }), {
        capability: "client.ask",
        declares: { ask: {} },
        conditions: askConditions,
        taskResult: objectOf({ task: "object" }),
      }),
      notification("notifications/initialized", "client", optional(anything), {
        role: "initialized",
      }),
      notification("notifications/cancelled", "both", cancelledParams, { role: "cancelled" }),
      notification("notifications/progress", "both", progressParams, { role: "progress" }),
      notification("notifications/news", "server", objectOf({ headline: "string" })),
      notification("notifications/changed", "server", optional(anything), {
        capability: "server.text.changes",
      }),
      notification("notifications/typing", "client", optional(anything)),
    ]),
  };
}

/** The maps that a generated package would have for the tiny revision. */
export interface TinyClientRequests {
  ping: { params?: object; result: object };
  "text/echo": { params: { text: string }; result: { text: string } };
  "text/work": { params?: object; result: object };
  "text/watch": { params?: object; result: object };
}

export interface TinyClientNotifications {
  "notifications/typing": { params?: object };
}

export interface TinyServerRequests {
  ping: { params?: object; result: object };
  "user/ask": { params?: object; result: { answer: string } };
}

export interface TinyServerNotifications {
  "notifications/news": { params: { headline: string } };
  "notifications/changed": { params?: object };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function is(type: Members[string], value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "id") return typeof value === "string" || Number.isInteger(value);
  return typeof value === type;
}

function typeOf(value: unknown): string {
  return value === undefined ? "nothing" : value === null ? "null" : typeof value;
}
