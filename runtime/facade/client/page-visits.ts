import { InputRefusedError } from "../../wire/index.js";
import {
  type Elicitation,
  type ElicitationAnswer,
  type UrlElicitation,
  urlElicitationsOf,
} from "../../features/index.js";
import type { AnySendMiddleware, Send, Sending } from "../../api/index.js";
import { contextOf } from "./sending-context.js";

/** Milliseconds until a request is tried again that waits for the user to be done with a page. */
const PAUSES = [1000, 2000, 5000, 10_000, 30_000] as const;
const LONGEST = 600_000;

/** A page that the user has been sent to. */
interface Visit {
  isDone: boolean;
  /** True when the request has been repeated since: the user's return is reported once. */
  isTried: boolean;
  wake(): void;
}

/**
 * Sends the user to the pages that a server refuses a request for, and then sends the request again (MCP:
 * elicitation, URL mode): elsewhere, the same is a question inside a result.
 */
export class PageVisits {
  readonly #elicitation: () => Elicitation | undefined;
  readonly #visits = new Map<string, Visit>();

  constructor(elicitation: () => Elicitation | undefined) {
    this.#elicitation = elicitation;
  }

  /** The server says that the user is done with a page. */
  heard(elicitationId: string): void {
    const visit = this.#visits.get(elicitationId);
    if (visit === undefined) return;
    visit.isDone = true;
    visit.wake();
  }

  readonly middleware: AnySendMiddleware = (message, send) => {
    const started = performance.now();
    return send().catch((error: unknown) => this.#retry(message, send, started, error));
  };

  /** @param refusal - what the request was answered with */
  async #retry(message: Sending, send: Send, started: number, refusal: unknown): Promise<unknown> {
    const until = started + (message.options.maxTotalTimeout ?? LONGEST);
    const own = new Map<string, Visit>();
    let error = refusal;
    try {
      for (let attempt = 0; ; attempt += 1) {
        const pages = urlElicitationsOf(error);
        if (pages.length === 0 || performance.now() >= until) throw error;
        for (const page of pages) await this.#visit(page, own, message);
        const pause = PAUSES[Math.min(attempt, PAUSES.length - 1)]!;
        await returned([...own.values()], pause, message.options.signal);
        try {
          return await send();
        } catch (again) {
          error = again;
        }
      }
    } finally {
      for (const id of own.keys()) this.#visits.delete(id);
    }
  }

  /** @throws InputRefusedError when the user does not want to */
  async #visit(page: UrlElicitation, own: Map<string, Visit>, message: Sending): Promise<void> {
    const id = page.elicitationId!;
    if (own.has(id)) return;
    const visit = { isDone: false, isTried: false, wake: () => {} };
    own.set(id, visit);
    this.#visits.set(id, visit);
    const ask = this.#elicitation()!.handlers["elicitation/create"]!;
    const { action } = (await ask(page, contextOf(message))) as ElicitationAnswer;
    if (action === "accept") return;
    const problem = `the user chose to ${action}`;
    throw new InputRefusedError(message.method, "elicitation/create", problem);
  }
}

/** Resolves when the user is done with all pages, or after a pause: the server need not tell. */
async function returned(
  visits: readonly Visit[],
  pause: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { promise, resolve } = resolvable();
  const wake = (): void => {
    const isNews = visits.some(({ isTried }) => !isTried);
    if (isNews && visits.every(({ isDone }) => isDone)) resolve();
  };
  for (const visit of visits) visit.wake = wake;
  const timer = setTimeout(resolve, pause);
  signal?.addEventListener("abort", resolve, { once: true });
  wake();
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener("abort", resolve);
  signal?.throwIfAborted();
  for (const visit of visits) visit.isTried = visit.isDone;
}

function resolvable(): { promise: Promise<void>; resolve: () => void } {
  let resolve: (() => void) | undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: resolve! };
}
