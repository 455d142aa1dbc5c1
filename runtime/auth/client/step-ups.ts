import { OAuthError } from "./errors.js";
import { quoted } from "./text.js";

/** Step-ups for one operation in a row. */
const MOST = 2;
/** Operations that are remembered. */
const MOST_OPERATIONS = 1000;

/** Count of the step-ups for each operation, so that a server cannot keep the user busy (MCP: step-up, retry limits). */
export class StepUps {
  readonly #counts = new Map<string, number>();

  /** @throws OAuthError when there were too many for this operation */
  count(operation: string, scope: string | undefined, challenge: string | undefined): void {
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

/** Error for a token that does not reach far enough. */
export function insufficient(
  how: string,
  scope: string | undefined,
  challenge: string | undefined,
): OAuthError {
  const text = `The MCP server wants more than the token is good for, ${how}`;
  const expected =
    scope === undefined ? "another scope, which it does not name" : `the scope ${quoted(scope)}`;
  return new OAuthError("scope", text, {
    expected,
    error: "insufficient_scope",
    status: 403,
    challenge,
  });
}
