import {
  InvalidMessageError,
  type Method,
  type Side,
  type Validator,
  formatIssues,
  hasFormats,
} from "../wire/index.js";
import { summarize } from "./conformity.js";
import { invalidParams } from "./refusal.js";

/** Places whose problems are remembered as reported. */
const MAX_PLACES = 1000;

/**
 * Check of what the structure of messages does not show: base64, URIs, MIME types, keys of `_meta`. What goes out is
 * refused. A client reports what comes in, each kind of problem once; a server refuses answers.
 */
export class ContentCheck {
  readonly #side: Side;
  readonly #report: (error: Error) => void;
  readonly #reported = new Set<string>();

  constructor(side: Side, report: (error: Error) => void) {
    this.#side = side;
    this.#report = report;
  }

  /**
   * Checks the parameters of a message of this side. In those of a client, URIs are names that its server has given.
   * @throws TypeError that says what is wrong, and where
   */
  assertSendable({ method, params: validator }: Method, params: unknown): void {
    const scope = this.#side === "client" ? "own" : "all";
    if (validator === undefined || hasFormats(validator, params, scope)) return;
    const problem = summarize(formatIssues(validator, params, scope));
    throw new TypeError(`${method} was not sent: ${problem}`);
  }

  /** Looks at the parameters of a message of the peer: those that clients get are reported. */
  lookAtParams({ method, params: validator }: Method, params: unknown): void {
    if (this.#side === "server" || validator === undefined) return;
    if (!hasFormats(validator, params)) this.#tell(method, validator, params);
  }

  /**
   * Looks at an answer of the peer.
   * @throws InvalidMessageError on a server
   */
  lookAtResult({ method }: Method, validator: Validator | undefined, result: unknown): void {
    if (validator === undefined) return;
    if (this.#side === "client") {
      if (!hasFormats(validator, result)) this.#tell(method, validator, result);
    } else if (!hasFormats(validator, result, "answer")) {
      const issues = formatIssues(validator, result, "answer");
      const text = `The result of ${method} is invalid: ${summarize(issues)}`;
      throw new InvalidMessageError(text, issues);
    }
  }

  /**
   * Looks at the answers of a client that a request of it carries.
   * @throws RpcError that says what is wrong
   */
  lookAtAnswers({ params: validator }: Method, params: unknown): void {
    if (validator === undefined || hasFormats(validator, params, "answer")) return;
    throw invalidParams(summarize(formatIssues(validator, params, "answer")));
  }

  #tell(method: string, validator: Validator, value: unknown): void {
    const issues = formatIssues(validator, value).filter(({ path, expected }) => {
      const place = `${method} ${path.replaceAll(/\/\d+/g, "/*")} ${expected}`;
      if (this.#reported.has(place) || this.#reported.size >= MAX_PLACES) return false;
      this.#reported.add(place);
      return true;
    });
    if (issues.length === 0) return;
    const text = `${method}: accepted, although it is not as it should be: ${summarize(issues)}`;
    this.#report(new InvalidMessageError(text, issues));
  }
}
