import { type Revision, quote } from "../../wire/index.js";
import { LONGEST_DELAY, isThenable } from "../../ground/index.js";
import {
  type Authenticator,
  authenticatorOf,
  checkIdentity,
  isRefusal,
  UNAUTHORIZED,
} from "./authentication.js";
import { answerPreflight, corsFields, REQUEST_FIELDS } from "./cors.js";
import { answerDocument } from "./public-documents.js";
import type { Exchange, RequestHead } from "./exchange.js";
import { Guard } from "./guard.js";
import { DEFAULTS, type HttpOptions } from "./options.js";
import { type Problem, problem, refuse } from "./problem.js";
import { revisionOfRefusal } from "./version-header.js";

/** Outcome of a hook that takes too long. */
const LATE = Symbol("late");

const UNAUTHENTICATED_YET = problem(
  503,
  "It takes too long to find out who sent this",
  { "Retry-After": "5" },
  "authentication",
);

/** Hosts and origins whose refusal is reported. */
const MOST_TOLD = 20;

/** Lets in who may come in: by method, host and origin, and by what the sender can prove. */
export class Gate {
  readonly #guard: Guard;
  readonly #authenticator: Authenticator | undefined;
  readonly #methods: ReadonlySet<string>;
  /** Value of `Allow`. */
  readonly #listed: string;
  /** Value of `Access-Control-Allow-Headers`. */
  readonly #fields: string;

  readonly #revisions: readonly Revision[];
  /** Milliseconds that a hook may take. */
  readonly #timeout: number;
  readonly #report: (error: Error) => void;
  /** Refused hosts and origins that have already been reported. */
  readonly #told = new Set<string>();

  /**
   * @param methods - those that are served; OPTIONS always is
   * @param revisions - say how errors look
   */
  constructor(
    options: HttpOptions,
    methods: readonly string[],
    revisions: readonly Revision[],
    report: (error: Error) => void,
  ) {
    this.#revisions = revisions;
    this.#timeout = options.authenticateTimeout ?? DEFAULTS.authenticateTimeout;
    this.#report = report;
    this.#guard = new Guard(options);
    this.#authenticator = authenticatorOf(options.authenticate);
    this.#methods = new Set(methods);
    this.#listed = [...methods, "OPTIONS"].join(", ");
    this.#fields = [...REQUEST_FIELDS, ...(options.allowedHeaders ?? [])].join(", ");
  }

  /** Paths of the public documents of whoever authenticates. */
  get wellKnownPaths(): readonly string[] {
    return Object.keys(this.#authenticator?.documents ?? {});
  }

  /** Decides whether a request may go on; if not, it has been answered. */
  admit(exchange: Exchange): boolean | Promise<boolean> {
    const { method } = exchange;
    const published = answerDocument(exchange, this.#authenticator?.documents);
    if (published) return published === true ? false : published.then(() => false);
    if (!this.#methods.has(method) && method !== "OPTIONS") {
      return this.#refuse(
        exchange,
        problem(405, `Method ${quote(method)} not allowed`, { Allow: this.#listed }),
      );
    }
    const refused = this.#guard.check(exchange);
    if (refused) {
      if (refused.status === 403) this.#tell(refused.message);
      return this.#refuse(exchange, refused);
    }
    const origin = exchange.header("origin");
    if (origin !== undefined) exchange.extraHeaders = corsFields(origin);
    if (method === "OPTIONS") {
      answerPreflight(exchange, this.#listed, this.#fields);
      return false;
    }
    return this.#identify(exchange);
  }

  /** Says once of each host and origin that it is refused: whoever runs the server may have meant to allow it. */
  #tell(message: string): void {
    if (this.#told.has(message) || this.#told.size >= MOST_TOLD) return;
    this.#told.add(message);
    this.#report(new Error(`A request was refused: ${message}`));
  }

  /** Asks what the handler is mounted in, and then the handler's own hook. */
  #identify(exchange: Exchange): boolean | Promise<boolean> {
    const isKnown = exchange.identify ? this.#settle(exchange, exchange.identify()) : true;
    const authenticator = this.#authenticator;
    if (authenticator === undefined || isKnown === false) return isKnown;
    exchange.authenticator = authenticator;
    const next = (): boolean | Promise<boolean> =>
      this.#settle(exchange, authenticator.authenticate(headOf(exchange)));
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

  /** Waits for a hook; without an outcome in time, the request is refused, and a later one counts for nothing. */
  #wait(exchange: Exchange, given: PromiseLike<unknown>): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<typeof LATE>((resolve) => {
      if (this.#timeout <= LONGEST_DELAY) timer = setTimeout(resolve, this.#timeout, LATE);
    });
    return Promise.race([given, late]).then(
      (known) => {
        clearTimeout(timer);
        if (known !== LATE) return this.#settle(exchange, known);
        this.#report(
          new Error(`authenticate gave nothing in ${this.#timeout} ms (authenticateTimeout)`),
        );
        return this.#refuse(exchange, UNAUTHENTICATED_YET);
      },
      (error: unknown) => {
        clearTimeout(timer);
        throw error;
      },
    );
  }

  #refuse(exchange: Exchange, refused: Problem): false {
    refuse(exchange, refused, revisionOfRefusal(exchange, this.#revisions));
    return false;
  }
}

/**
 * Copy of a request's head for a hook: it offers no way to answer, and its functions need no
 * `this`.
 */
function headOf(exchange: Exchange): RequestHead {
  const { method, path, query } = exchange;
  return { method, path, query, header: (name) => exchange.header(name) };
}
