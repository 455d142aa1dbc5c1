import { OAuthError } from "./errors.js";
import { quoted } from "./text.js";

/** Step-ups for one operation in a row. */
const MOST = 2;
/** Step-ups for all operations together within a period of so many milliseconds. */
const MOST_IN_PERIOD = 8;
const PERIOD = 600_000;
/** Most operations that are counted. */
const MOST_OPERATIONS = 1000;

/** Count of the step-ups for each operation, so that a server cannot keep the user busy (MCP: step-up, retry limits). */
export class StepUps {
  readonly #counts = new Map<string, number>();
  /** Times of the latest step-ups, oldest first. */
  #times: number[] = [];

  /** @throws OAuthError if there were too many for this operation, or for all of them together */
  count(operation: string, scope: string | undefined, challenge: string | undefined): void {
    const now = Date.now();
    this.#times = this.#times.filter((time) => now - time < PERIOD);
    if (this.#times.length >= MOST_IN_PERIOD) {
      const how = `after ${MOST_IN_PERIOD} more authorizations in ${PERIOD / 60_000} minutes`;
      throw insufficient(how, scope, challenge);
    }
    this.#times.push(now);
    const count = (this.#counts.get(operation) ?? 0) + 1;
    if (count > MOST) {
      this.#counts.delete(operation);
      throw insufficient(`still after ${MOST} more authorizations`, scope, challenge);
    }
    if (this.#counts.size >= MOST_OPERATIONS) this.#counts.clear();
    this.#counts.set(operation, count);
  }

  succeeded(operation: string): void {
    this.#counts.delete(operation);
  }
}

/** Error for a token with too few scopes. */
export function insufficient(
  how: string,
  scope: string | undefined,
  challenge: string | undefined,
): OAuthError {
  const text = `The MCP server requires more scopes than the token has, ${how}`;
  const expected =
    scope === undefined ? "another scope, which it does not name" : `the scope ${quoted(scope)}`;
  return new OAuthError("scope", text, {
    expected,
    error: "insufficient_scope",
    status: 403,
    challenge,
  });
}
