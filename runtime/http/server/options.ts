import { HOLDS_SILENT_RESPONSES, assertKnownNames } from "../../ground/index.js";
import { isObject, quote } from "../../wire/index.js";
import type {
  HttpHandlerOptions,
  HttpOptions,
  Limit,
  Settings,
  SseHandlerOptions,
} from "./option-types.js";

type OptionKind =
  | "function"
  | "number"
  | "boolean"
  | "strings"
  | "object or null"
  | "authenticator"
  | "sharing"
  | "checked"
  | readonly string[];

type AnyOptions = HttpHandlerOptions & SseHandlerOptions;

const MIB = 1024 * 1024;

/** All options of both kinds of handlers: the defaults of the limits, and the values that the other options accept. */
export const OPTION_KINDS: {
  readonly [Name in keyof AnyOptions]-?: Name extends Limit<AnyOptions> ? number : OptionKind;
} = {
  allowedHosts: "checked",
  allowedOrigins: "checked",
  duplicateKeys: ["last", "refuse"],
  authenticate: "authenticator",
  authenticateTimeout: 10_000,
  allowedHeaders: "strings",
  maxBodyBytes: 4 * MIB,
  maxParsedBodyBytes: "number",
  maxInitializeBytes: MIB / 16,
  maxAnswerBytes: 64 * MIB,
  maxWaitingBytes: 64 * MIB,
  maxUnreadBytes: 256 * MIB,
  readerTimeout: 30_000,
  keepAlive: HOLDS_SILENT_RESPONSES ? 5000 : 15_000,
  maxSessions: 10_000,
  maxSessionsPerPrincipal: 1000,
  onerror: "function",
  sessions: "sharing",
  newSessionId: "function",
  onsessionopen: "function",
  onsessionclose: "function",
  sessionTtl: 30 * 60_000,
  responses: ["auto", "events", "json"],
  upgradeAfter: 10_000,
  lenientAccept: "boolean",
  eventStore: "object or null",
  retry: 1000,
  maxRequests: 10_000,
  maxBytesUnderWay: 256 * MIB,
  maxBytesKept: 128 * MIB,
  maxBytesUnderWayPerSession: 32 * MIB,
  maxRequestsPerPrincipal: 1000,
  maxSubscriptionsPerPrincipal: 100,
  maxQueued: 100,
  messagePath: "checked",
};

/**
 * Checks options and fills in the defaults. A misspelt option must not be ignored, because a server without
 * `authenticate` admits every client. Both kinds of handlers accept each other's options, so the same object can be
 * passed to both.
 */
export function settingsOf<Options extends HttpOptions>(
  options: Options,
  caller: string,
): Settings<Options> {
  if (!isObject(options)) throw new TypeError(`${caller}: the options must be an object`);
  const limits = Object.entries(OPTION_KINDS).filter(([, kind]) => typeof kind === "number");
  const settings: Record<string, unknown> = Object.fromEntries(limits);
  assertKnownNames(options, Object.keys(OPTION_KINDS), caller);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const kind = OPTION_KINDS[name as keyof typeof OPTION_KINDS];
    if (!isOfKind(value, kind)) {
      const found = quote(String(value));
      throw new TypeError(`${caller}: ${name} must be ${describe(kind)}, not ${found}`);
    }
    settings[name] = value;
  }
  return settings as Settings<Options>;
}

function isOfKind(value: unknown, kind: OptionKind | number): boolean {
  switch (kind) {
    case "checked":
      return true;
    case "strings":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "object or null":
      return typeof value === "object";
    case "authenticator":
      return isAuthenticator(value);
    case "sharing":
      return typeof value === "boolean" || (isObject(value) && "events" in value);
    case "boolean":
    case "function":
      return typeof value === kind;
    default:
      if (typeof kind === "object") return kind.includes(value as string);
      return typeof value === "number" && !Number.isNaN(value);
  }
}

function describe(kind: OptionKind | number): string {
  if (typeof kind === "object") return kind.map((one) => quote(one)).join(" or ");
  if (kind === "strings") return "a list of strings";
  if (kind === "authenticator") return "a function, or an authenticator such as resourceServer()";
  if (kind === "sharing") return "a boolean, or SharedSessions";
  if (kind === "object or null") return "an object or null";
  return typeof kind === "number" ? "a number" : `a ${kind}`;
}

function isAuthenticator(value: unknown): boolean {
  if (!isObject(value)) return typeof value === "function";
  const { authenticate, forbid, documents } = value;
  return typeof authenticate === "function" && typeof forbid === "function" && isObject(documents);
}
