import { onDemand, oncePerKey } from "../../../ground/index.js";
import { type Revision, quote } from "../../../wire/index.js";
import type { HttpOptions, OriginOptions } from "../option-types.js";
import {
  type Exchange,
  type IncomingRequest,
  repetition,
  revisionOfRefusal,
  SINGLE_FIELDS,
} from "./exchange.js";
import { type HeaderFields, type Problem, problem, PROBLEMS } from "./problem.js";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const LOOPBACK_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_-])?)(:\d{1,5})?$/i;
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/;

const HOST_ADVICE = "if it is a host of this server, name it in `allowedHosts`";
const ORIGIN_ADVICE = "name it in `allowedOrigins`";

const MAX_REPORTED = 20;

const RESPONSE_FIELDS = "Mcp-Session-Id, MCP-Protocol-Version, Retry-After, WWW-Authenticate";

/** Checks `Host`, `Origin` and `Sec-Fetch-Site`; returns undefined if the request may proceed. */
export type OriginCheck = (head: Pick<IncomingRequest, "host" | "fields">) => Problem | undefined;

export function originCheck({
  allowedHosts = LOOPBACK,
  allowedOrigins,
}: OriginOptions): OriginCheck {
  const hosts = entries(
    "allowedHosts",
    allowedHosts,
    HOST,
    'a host such as "example.com", "example.com:8443" or "[::1]"',
    (entry) => entry.toLowerCase(),
  );
  const origins =
    allowedOrigins &&
    entries(
      "allowedOrigins",
      allowedOrigins,
      ORIGIN,
      'an origin such as "https://app.example.com"',
    );
  const allowsOrigin = (origin: string): boolean => {
    if (allowedOrigins === "any") return true;
    return origins ? origins.has(origin) : LOOPBACK_ORIGIN.test(origin);
  };
  /** The last accepted `Host`, cached because clients rarely change it. */
  let accepted: string | undefined;
  return ({ host, fields }) => {
    if (host === undefined || host !== accepted) {
      if (hosts && !isAllowedHost(host, hosts)) return forbidden("host", host ?? "", HOST_ADVICE);
      accepted = host;
    }
    const { origin } = fields;
    if (origin !== undefined)
      return allowsOrigin(origin) ? undefined : forbidden("origin", origin, ORIGIN_ADVICE);
    const site = fields["sec-fetch-site"];
    const isForeign = site !== undefined && site !== "same-origin" && site !== "none";
    return isForeign && allowedOrigins !== "any" ? PROBLEMS.otherSite : undefined;
  };
}

const whenCors = onDemand(() => import("./cors.js"));
const whenIdentifying = onDemand(() => import("./identify.js"));

export interface AccessControl {
  readonly wellKnownPaths: readonly string[];
  /** Decides whether a request may proceed; if not, the request has already been answered. */
  admit(exchange: Exchange): boolean | Promise<boolean>;
}

/**
 * Creates the access control of an endpoint, which checks method, host, origin and sender.
 *
 * @param revisions - the served revisions, which decide the form of errors
 */
export function accessControl(
  options: HttpOptions & { readonly authenticateTimeout: number },
  methods: readonly string[],
  revisions: readonly Revision[],
  report: (error: Error) => void,
): AccessControl {
  const { authenticate, allowedHeaders = [] } = options;
  const checkOrigin = originCheck(options);
  const documents = typeof authenticate === "object" ? authenticate.documents : undefined;
  const served = new Set(methods);
  const allow = [...methods, "OPTIONS"].join(", ");
  const reportOnce = reporterOfRefusals(report);
  const refuse = (exchange: Exchange, refused: Problem): false => {
    exchange.refuse(refused, revisionOfRefusal(exchange, revisions));
    return false;
  };
  let identify: ((exchange: Exchange) => boolean | Promise<boolean>) | undefined;
  return {
    wellKnownPaths: Object.keys(documents ?? {}),
    admit(exchange) {
      const { head } = exchange;
      const { method, path } = head;
      if (documents && Object.hasOwn(documents, path))
        return whenCors(({ sendDocument }) => sendDocument(exchange, documents[path]!));
      if (!served.has(method) && method !== "OPTIONS") {
        const headers = { Allow: allow };
        return refuse(exchange, problem(405, `Method ${quote(method)} not allowed`, headers));
      }
      const repeated = exchange.repeatedField(SINGLE_FIELDS);
      if (repeated !== undefined) return refuse(exchange, repetition(repeated));
      const refused = checkOrigin(head);
      if (refused) {
        if (refused.status === 403) reportOnce(refused.message);
        return refuse(exchange, refused);
      }
      const { origin } = head.fields;
      if (origin !== undefined) exchange.extraHeaders = corsFields(origin);
      if (method === "OPTIONS")
        return whenCors((cors) => cors.answerPreflight(exchange, allow, allowedHeaders));
      if (authenticate === undefined && head.identify === undefined) return true;
      return whenIdentifying(({ identifier }) => {
        identify ??= identifier(options, refuse, report);
        return identify(exchange);
      });
    },
  };
}

function reporterOfRefusals(report: (error: Error) => void): (message: string) => void {
  const isNew = oncePerKey(MAX_REPORTED);
  return (message) => {
    if (isNew(message)) report(new Error(`A request was rejected: ${message}`));
  };
}

function isAllowedHost(host: string | undefined, hosts: ReadonlySet<string>): boolean {
  const [, name, port = ""] = HOST.exec(host?.toLowerCase() ?? "") ?? [];
  return name !== undefined && (hosts.has(name) || hosts.has(name + port));
}

function forbidden(what: "host" | "origin", value: string, how: string): Problem {
  return problem(403, `Forbidden: the ${what} ${quote(value)} is not allowed; ${how}`);
}

function entries(
  option: keyof OriginOptions,
  given: readonly string[] | "any",
  form: RegExp,
  examples: string,
  toEntry = (entry: string): string => entry,
): ReadonlySet<string> | undefined {
  const advice = '"any" instead of the list switches the check off';
  if (given === "any") return undefined;
  if (!Array.isArray(given))
    throw new TypeError(`${option} must be a list, or "any" to switch the check off`);
  const wrong = given.find((entry) => !form.test(String(entry)));
  if (wrong === undefined) return new Set(given.map((entry) => toEntry(String(entry))));
  throw new TypeError(`${option}: ${quote(String(wrong))} is not ${examples}; ${advice}`);
}

function corsFields(origin: string): HeaderFields {
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": RESPONSE_FIELDS,
    Vary: "Origin",
  };
}
