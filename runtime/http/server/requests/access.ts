import { LONGEST_DELAY, isThenable } from "../../../ground/index.js";
import { type Revision, quote } from "../../../wire/index.js";
import type { HttpOptions, OriginOptions } from "../options.js";
import {
  type Authenticator,
  authenticatorOf,
  checkIdentity,
  isRefusal,
  type PublicDocument,
  UNAUTHORIZED,
} from "./authentication.js";
import { type Exchange, type IncomingRequest, repetition, SINGLE_FIELDS } from "./exchange.js";
import { type HeaderFields, type Problem, problem } from "./problem.js";
import { revisionOfRefusal } from "./revisions.js";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const LOOPBACK_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_-])?)(:\d{1,5})?$/;
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/;

const OTHER_SITE = /* @__PURE__ */ problem(
  403,
  "Forbidden: the request comes from a page of another site",
);
const AUTHENTICATION_TIMEOUT = /* @__PURE__ */ problem(
  503,
  "It takes too long to find out who sent this",
  { "Retry-After": "5" },
  "authentication",
);
const WRONG_METHOD = /* @__PURE__ */ problem(405, "Only GET and HEAD are served here", {
  Allow: "GET, HEAD, OPTIONS",
});

/** Outcome of a hook that takes too long. */
const LATE = Symbol("late");

/** Number of refused hosts and origins that are reported. */
const MAX_REPORTED = 20;

/** Request fields that a page's script may send, whatever the options say. */
const REQUEST_FIELDS = [
  "Accept",
  "Authorization",
  "Content-Type",
  "Last-Event-ID",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Session-Id",
  "MCP-Protocol-Version",
];

/** Response fields that a page's script may read. */
const RESPONSE_FIELDS = "Mcp-Session-Id, MCP-Protocol-Version, Retry-After, WWW-Authenticate";

/** Seconds for which a browser may cache the answer to a preflight request. */
const MAX_AGE = "600";

/** Fields that repeat arguments; only the tools know their names. */
const PARAM_FIELD = /^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+$/i;

/** Number of such fields that one preflight may allow. */
const MAX_PARAM_FIELDS = 100;

/** Pages of every origin may read public documents. */
const PUBLIC_FIELDS: HeaderFields = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

const DOCUMENT_FIELDS: HeaderFields = {
  "Content-Type": "application/json",
  "Cache-Control": "public, max-age=3600",
};

/** Checks `Host`, `Origin` and `Sec-Fetch-Site`; undefined if the request may proceed. */
export type OriginCheck = (head: Pick<IncomingRequest, "host" | "fields">) => Problem | undefined;

/** @throws TypeError for an entry that no request could match */
export function originCheck({
  allowedHosts = LOOPBACK,
  allowedOrigins,
}: OriginOptions): OriginCheck {
  assertIsListOrAny("allowedHosts", allowedHosts);
  if (allowedOrigins !== undefined) assertIsListOrAny("allowedOrigins", allowedOrigins);
  const hosts = allowedHosts === "any" ? undefined : new Set(allowedHosts.map(hostEntry));
  const origins = Array.isArray(allowedOrigins) ? new Set(allowedOrigins.map(originEntry)) : null;
  const allowsOrigin = (origin: string): boolean => {
    if (allowedOrigins === "any") return true;
    return origins ? origins.has(origin) : LOOPBACK_ORIGIN.test(origin);
  };
  /** Last accepted `Host`: clients rarely change it. */
  let accepted: string | undefined;
  return ({ host, fields }) => {
    if (host === undefined || host !== accepted) {
      if (hosts && !isAllowedHost(host, hosts)) return wrongHost(host);
      accepted = host;
    }
    const { origin } = fields;
    if (origin !== undefined) return allowsOrigin(origin) ? undefined : wrongOrigin(origin);
    const site = fields["sec-fetch-site"];
    const isForeign = site !== undefined && site !== "same-origin" && site !== "none";
    return isForeign && allowedOrigins !== "any" ? OTHER_SITE : undefined;
  };
}

/** Admits requests by method, host, origin, and the identity of the sender. */
export class AccessControl {
  /** Paths of the authenticator's public documents. */
  readonly wellKnownPaths: readonly string[];
  readonly #checkOrigin: OriginCheck;
  readonly #authenticator: Authenticator | undefined;
  readonly #documents: Readonly<Record<string, PublicDocument>> | undefined;
  readonly #methods: ReadonlySet<string>;
  /** Value of `Allow`. */
  readonly #allow: string;
  /** Value of `Access-Control-Allow-Headers`. */
  readonly #allowedFields: string;
  readonly #revisions: readonly Revision[];
  /** Milliseconds that a hook may take. */
  readonly #timeout: number;
  readonly #report: (error: Error) => void;
  /** Refused hosts and origins that have been reported. */
  readonly #reported = new Set<string>();

  /**
   * @param methods - served methods; OPTIONS is always served
   * @param revisions - served revisions, which decide the form of errors
   */
  constructor(
    options: HttpOptions & { readonly authenticateTimeout: number },
    methods: readonly string[],
    revisions: readonly Revision[],
    report: (error: Error) => void,
  ) {
    this.#revisions = revisions;
    this.#timeout = options.authenticateTimeout;
    this.#report = report;
    this.#checkOrigin = originCheck(options);
    this.#authenticator = authenticatorOf(options.authenticate);
    this.#documents = this.#authenticator?.documents;
    this.wellKnownPaths = Object.keys(this.#documents ?? {});
    this.#methods = new Set(methods);
    this.#allow = [...methods, "OPTIONS"].join(", ");
    this.#allowedFields = [...REQUEST_FIELDS, ...(options.allowedHeaders ?? [])].join(", ");
  }

  /** Decides whether a request may proceed; if not, it has been answered. */
  admit(exchange: Exchange): boolean | Promise<boolean> {
    const { head } = exchange;
    const { method, path } = head;
    if (this.#documents && Object.hasOwn(this.#documents, path))
      return sendDocument(exchange, this.#documents[path]!);
    if (!this.#methods.has(method) && method !== "OPTIONS") {
      const headers = { Allow: this.#allow };
      return this.#refuse(exchange, problem(405, `Method ${quote(method)} not allowed`, headers));
    }
    const repeated = exchange.repeatedField(SINGLE_FIELDS);
    if (repeated !== undefined) return this.#refuse(exchange, repetition(repeated));
    const refused = this.#checkOrigin(head);
    if (refused) {
      if (refused.status === 403) this.#reportOnce(refused.message);
      return this.#refuse(exchange, refused);
    }
    const { origin } = head.fields;
    if (origin !== undefined) exchange.extraHeaders = corsFields(origin);
    if (method === "OPTIONS") {
      answerPreflight(exchange, this.#allow, this.#allowedFields);
      return false;
    }
    const isOpen = this.#authenticator === undefined && head.identify === undefined;
    return isOpen || this.#identify(exchange);
  }

  /** Reports each refused host and origin once: the operator may have meant to allow it. */
  #reportOnce(message: string): void {
    if (this.#reported.has(message) || this.#reported.size >= MAX_REPORTED) return;
    this.#reported.add(message);
    this.#report(new Error(`A request was refused: ${message}`));
  }

  /** Calls the hook of the mount, and then the handler's own. */
  #identify(exchange: Exchange): boolean | Promise<boolean> {
    const { identify } = exchange.head;
    const isKnown = identify ? this.#settle(exchange, identify()) : true;
    const authenticator = this.#authenticator;
    if (authenticator === undefined || isKnown === false) return isKnown;
    exchange.authenticator = authenticator;
    const next = (): boolean | Promise<boolean> => {
      const { method, path, query } = exchange.head;
      // A copy: hooks cannot answer the request, and `header` needs no `this`.
      const head = { method, path, query, header: (name: string) => exchange.header(name) };
      return this.#settle(exchange, authenticator.authenticate(head));
    };
    return isKnown === true ? next() : isKnown.then((known) => known && next());
  }

  /** Stores the caller's identity, or sends the refusal. */
  #settle(exchange: Exchange, given: unknown): boolean | Promise<boolean> {
    if (isThenable(given)) return this.#wait(exchange, given);
    const identity = checkIdentity(given);
    if (identity === undefined) return true;
    if (identity === UNAUTHORIZED) return this.#refuse(exchange, UNAUTHORIZED);
    if (isRefusal(identity)) {
      exchange.refusals?.count(identity.status);
      exchange.respond(identity.status, identity.headers, identity.body);
      return false;
    }
    exchange.auth = identity;
    return true;
  }

  /** Waits for a hook. After the timeout the request is refused, and a later outcome is ignored. */
  #wait(exchange: Exchange, given: PromiseLike<unknown>): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<typeof LATE>((resolve) => {
      if (this.#timeout <= LONGEST_DELAY) timer = setTimeout(resolve, this.#timeout, LATE);
    });
    return Promise.race([given, late])
      .finally(() => clearTimeout(timer))
      .then((known) => {
        if (known !== LATE) return this.#settle(exchange, known);
        this.#report(
          new Error(`authenticate gave nothing in ${this.#timeout} ms (authenticateTimeout)`),
        );
        return this.#refuse(exchange, AUTHENTICATION_TIMEOUT);
      });
  }

  #refuse(exchange: Exchange, refused: Problem): false {
    exchange.refuse(refused, revisionOfRefusal(exchange, this.#revisions));
    return false;
  }
}

function isAllowedHost(host: string | undefined, hosts: ReadonlySet<string>): boolean {
  const [, name, port = ""] = HOST.exec(host?.toLowerCase() ?? "") ?? [];
  return name !== undefined && (hosts.has(name) || hosts.has(name + port));
}

function wrongHost(host = ""): Problem {
  const advice = "if it is the server's, name it in `allowedHosts`";
  return problem(403, `Forbidden: the host ${quote(host)} is not allowed; ${advice}`);
}

function wrongOrigin(origin: string): Problem {
  const advice = "name it in `allowedOrigins`";
  return problem(403, `Forbidden: the origin ${quote(origin)} is not allowed; ${advice}`);
}

function assertIsListOrAny(option: string, value: unknown): void {
  if (value === "any" || Array.isArray(value)) return;
  throw new TypeError(`${option} takes a list, or "any" to switch the check off`);
}

function hostEntry(entry: string): string {
  const host = String(entry).toLowerCase();
  if (HOST.test(host)) return host;
  throw wrongEntry(
    "allowedHosts",
    entry,
    'a host such as "example.com", "example.com:8443" or "[::1]"',
  );
}

function originEntry(entry: string): string {
  if (ORIGIN.test(entry)) return entry;
  throw wrongEntry("allowedOrigins", entry, 'an origin such as "https://app.example.com"');
}

function wrongEntry(option: string, entry: string, expected: string): TypeError {
  const advice = '"any" in the place of the list switches the check off';
  return new TypeError(`${option}: ${quote(String(entry))} is not ${expected}; ${advice}`);
}

/** Header fields of every response to a page of an allowed origin. */
function corsFields(origin: string): HeaderFields {
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": RESPONSE_FIELDS,
    Vary: "Origin",
  };
}

/** Answers OPTIONS; browsers send it to find out what a page may do. Methods and fields are lists. */
function answerPreflight(exchange: Exchange, methods: string, fields: string): void {
  const { "access-control-request-method": method, "access-control-request-headers": requested } =
    exchange.head.fields;
  const isPreflight = exchange.extraHeaders !== undefined && method !== undefined;
  const allowed = [fields, ...paramFieldsIn(requested)];
  exchange.respond(
    204,
    isPreflight
      ? {
          "Access-Control-Allow-Methods": methods,
          "Access-Control-Allow-Headers": allowed.join(", "),
          "Access-Control-Max-Age": MAX_AGE,
        }
      : { Allow: methods },
  );
}

function paramFieldsIn(requested = ""): string[] {
  const names = requested.split(",", 4 * MAX_PARAM_FIELDS).map((name) => name.trim());
  return names.filter((name) => PARAM_FIELD.test(name)).slice(0, MAX_PARAM_FIELDS);
}

/** Serves a public document to any client. Always false: the request has been answered. */
function sendDocument(exchange: Exchange, document: PublicDocument): false | Promise<false> {
  const { method } = exchange.head;
  exchange.extraHeaders = PUBLIC_FIELDS;
  if (method === "OPTIONS") {
    exchange.respond(204);
  } else if (method !== "GET" && method !== "HEAD") {
    exchange.refuse(WRONG_METHOD);
  } else if (typeof document !== "string") {
    return document().then((text) => sendDocument(exchange, text));
  } else if (method === "GET") {
    exchange.respond(200, DOCUMENT_FIELDS, document);
  } else {
    const length = new TextEncoder().encode(document).byteLength;
    exchange.respond(200, { ...DOCUMENT_FIELDS, "Content-Length": `${length}` });
  }
  return false;
}
