import { HOLDS_SILENT_RESPONSES } from "../../ground/index.js";
import { isObject, quote } from "../../wire/index.js";
import type {
  HttpHandlerOptions,
  HttpOptions,
  Limit,
  Settings,
  SseHandlerOptions,
} from "./option-types.js";

/** Kind of value that an option takes; `checked`: the option is checked elsewhere. */
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

/** All options of both kinds of handlers: their names and the values that they take. */
export const OPTION_KINDS: Readonly<
  Record<keyof HttpHandlerOptions | keyof SseHandlerOptions, OptionKind>
> = {
  allowedHosts: "checked",
  allowedOrigins: "checked",
  duplicateKeys: ["last", "refuse"],
  authenticate: "authenticator",
  authenticateTimeout: "number",
  allowedHeaders: "strings",
  maxBodyBytes: "number",
  maxParsedBodyBytes: "number",
  maxInitializeBytes: "number",
  maxAnswerBytes: "number",
  maxWaitingBytes: "number",
  maxUnreadBytes: "number",
  readerTimeout: "number",
  keepAlive: "number",
  maxSessions: "number",
  maxSessionsPerPrincipal: "number",
  onerror: "function",
  sessions: "sharing",
  newSessionId: "function",
  onsessionopen: "function",
  onsessionclose: "function",
  sessionTtl: "number",
  responses: ["auto", "events", "json"],
  upgradeAfter: "number",
  lenientAccept: "boolean",
  eventStore: "object or null",
  retry: "number",
  maxRequests: "number",
  maxBytesUnderWay: "number",
  maxBytesKept: "number",
  maxBytesUnderWayPerSession: "number",
  maxRequestsPerPrincipal: "number",
  maxSubscriptionsPerPrincipal: "number",
  maxQueued: "number",
  messagePath: "checked",
};

const MIB = 1024 * 1024;

const DEFAULTS: Readonly<Record<Limit<HttpHandlerOptions>, number>> = {
  authenticateTimeout: 10_000,
  maxBodyBytes: 4 * MIB,
  maxInitializeBytes: MIB / 16,
  maxBytesUnderWay: 256 * MIB,
  maxBytesKept: 128 * MIB,
  maxBytesUnderWayPerSession: 32 * MIB,
  maxAnswerBytes: 64 * MIB,
  maxWaitingBytes: 64 * MIB,
  maxUnreadBytes: 256 * MIB,
  readerTimeout: 30_000,
  keepAlive: HOLDS_SILENT_RESPONSES ? 5000 : 15_000,
  maxSessions: 10_000,
  maxSessionsPerPrincipal: 1000,
  sessionTtl: 30 * 60_000,
  upgradeAfter: 10_000,
  maxRequests: 10_000,
  maxRequestsPerPrincipal: 1000,
  retry: 1000,
  maxSubscriptionsPerPrincipal: 100,
  maxQueued: 100,
};

/**
 * Checks options and adds the defaults. A misspelt option must not pass for an absent one: without `authenticate`, a
 * server admits every client. Both kinds of handlers accept the options of the other, so that both can take the same.
 *
 * @param caller - for messages: `createHttpHandler`
 * @throws TypeError for an unknown option or an invalid value
 */
export function settingsOf<Options extends HttpOptions>(
  options: Options,
  caller: string,
): Settings<Options> {
  if (!isObject(options)) throw new TypeError(`${caller}: the options must be an object`);
  const settings: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTION_KINDS, name)) {
      const names = Object.keys(OPTION_KINDS).join(", ");
      throw new TypeError(`${caller}: unknown option ${quote(name)}; the options are ${names}`);
    }
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

function isOfKind(value: unknown, kind: OptionKind): boolean {
  switch (kind) {
    case "checked":
      return true;
    case "number":
      return typeof value === "number" && !Number.isNaN(value);
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
      return kind.includes(value as string);
  }
}

function describe(kind: OptionKind): string {
  if (typeof kind !== "string") return kind.map((one) => quote(one)).join(" or ");
  if (kind === "strings") return "a list of strings";
  if (kind === "authenticator") return "a function, or an authenticator such as resourceServer()";
  if (kind === "sharing") return "a boolean, or SharedSessions";
  return kind === "object or null" ? "an object or null" : `a ${kind}`;
}

function isAuthenticator(value: unknown): boolean {
  if (!isObject(value)) return typeof value === "function";
  const { authenticate, forbid, documents } = value;
  return typeof authenticate === "function" && typeof forbid === "function" && isObject(documents);
}
