import { quote } from "../jsonrpc.js";
import { isAuth, type Refusal } from "./authentication.js";
import type { Auth } from "../origin.js";
import { answerPreflight, corsFields, REQUEST_FIELDS } from "./cors.js";
import type { Exchange, RequestHead } from "./exchange.js";
import { Guard } from "./guard.js";
import type { HttpOptions } from "./options.js";
import { problem, refuse } from "./problem.js";

/** Lets in who may come in: by method, host and origin, and by what the sender can prove. */
export class Gate {
  readonly #guard: Guard;
  readonly #authenticate: HttpOptions["authenticate"];
  readonly #methods: ReadonlySet<string>;
  /** For `Allow`. */
  readonly #listed: string;
  /** For `Access-Control-Allow-Headers`. */
  readonly #fields: string;

  /** @param methods - those that are served; OPTIONS always is */
  constructor(options: HttpOptions, methods: readonly string[]) {
    this.#guard = new Guard(options);
    this.#authenticate = options.authenticate;
    this.#methods = new Set(methods);
    this.#listed = [...methods, "OPTIONS"].join(", ");
    this.#fields = [...REQUEST_FIELDS, ...(options.allowedHeaders ?? [])].join(", ");
  }

  /** Whether a request may go on; if not, it has been answered. */
  admit(exchange: Exchange): boolean | Promise<boolean> {
    const { method } = exchange;
    if (!this.#methods.has(method) && method !== "OPTIONS") {
      refuse(
        exchange,
        problem(405, `Method ${quote(method)} not allowed`, { Allow: this.#listed }),
      );
      return false;
    }
    const refused = this.#guard.check(exchange);
    if (refused) {
      refuse(exchange, refused);
      return false;
    }
    const origin = exchange.header("origin");
    if (origin !== undefined) exchange.extraHeaders = corsFields(origin);
    if (method === "OPTIONS") {
      answerPreflight(exchange, this.#listed, this.#fields);
      return false;
    }
    if (this.#authenticate === undefined) return true;
    const outcome = this.#authenticate(headOf(exchange));
    return outcome instanceof Promise
      ? outcome.then((known) => this.#identify(exchange, known))
      : this.#identify(exchange, outcome);
  }

  #identify(exchange: Exchange, outcome: Auth | Refusal | undefined): boolean {
    if (!outcome) return true;
    if (isAuth(outcome)) {
      exchange.auth = outcome;
      return true;
    }
    exchange.respond(outcome.status, outcome.headers, outcome.body);
    return false;
  }
}

/** What a hook gets to see: nothing that it could answer with, and free of `this`. */
function headOf(exchange: Exchange): RequestHead {
  const { method, path, query } = exchange;
  return { method, path, query, header: (name) => exchange.header(name) };
}
