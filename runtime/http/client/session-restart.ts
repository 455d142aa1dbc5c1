import { type RequestId, type Revision, isObject } from "../../wire/index.js";
import { HttpError } from "./errors.js";
import { ResponseReader } from "./response-reader.js";
import type { ClientSession } from "./client-session.js";
import { isAnswer } from "./is-answer.js";
import { readRefusal } from "./read-refusal.js";
import { discard } from "./read-text.js";

/** The messages that opened a session, for opening another with them. */
export interface Opening {
  readonly id: RequestId;
  readonly request: string;
  readonly notification: string;
  readonly revision: Revision;
}

/** Time that the server may take to open another session, in milliseconds. */
const TIME = 30_000;

/**
 * Opens a session the way the one before was opened (MCP: Streamable HTTP, session management).
 *
 * @returns the result of the request that opens it
 * @throws HttpError when the server refuses, or decides on another revision this time; the signal's reason when
 *   that aborts
 */
export async function startOver(
  session: ClientSession,
  opening: Opening,
  closing: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = new AnswerCatcher(opening.id, session);
  const exchange = new ResponseReader(opening.id, session, answer);
  const abort = (): void => exchange.abort();
  const timer = setTimeout(abort, TIME);
  closing.addEventListener("abort", abort, { once: true });
  try {
    const response = await session.post(opening.request, exchange.signal);
    if (response.ok) session.adopt(response);
    await exchange.receive(response);
    const opened = resultOf(answer.value, opening.revision);
    session.agreed(opening.revision);
    await tell(session, opening.notification, exchange.signal);
    return opened;
  } finally {
    clearTimeout(timer);
    closing.removeEventListener("abort", abort);
    exchange.finish();
  }
}

async function tell(
  session: ClientSession,
  notification: string,
  signal: AbortSignal,
): Promise<void> {
  const response = await session.post(notification, signal);
  if (!response.ok) throw (await readRefusal(response, "POST", session.url)).error;
  discard(response);
}

/** Result that opens a session: all that was agreed on before still has to hold. */
function resultOf(answer: unknown, revision: Revision): Readonly<Record<string, unknown>> {
  const result = isObject(answer) ? answer["result"] : undefined;
  if (isObject(result) && result["protocolVersion"] === revision.id) return result;
  throw new HttpError(`The server does not agree on ${revision.id} any more`);
}

/** Keeps one answer to itself and passes on everything else. */
class AnswerCatcher {
  value: unknown;
  readonly #id: RequestId;
  readonly #session: ClientSession;

  constructor(id: RequestId, session: ClientSession) {
    this.#id = id;
    this.#session = session;
  }

  message(value: unknown): void {
    if (isAnswer(value, this.#id)) this.value = value;
    else this.#session.message(value);
  }

  malformed(problem: Parameters<ClientSession["malformed"]>[0]): void {
    this.#session.malformed(problem);
  }
}
