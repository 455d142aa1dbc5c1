import type {
  AnySendMiddleware,
  Feature,
  HandlerContext,
  RequestHandler,
  Send,
  Sending,
} from "../../api/index.js";
import {
  Elicitation,
  type ElicitationAnswer,
  type ElicitationOptions,
  Roots,
  Sampling,
  type SamplingRequest,
  type UrlElicitation,
  urlElicitationsOf,
} from "../../features/index.js";
import type { Answers } from "./client-options.js";
import { InputRefusedError } from "../../wire/index.js";

/** Handlers and helpers that answer requests of the server. */
export interface AnswerFeatures {
  /** Feature that opens pages, if this client supports that. */
  readonly elicitation: Elicitation | undefined;
  readonly features: readonly Feature[];
}

/**
 * @param heard - called for pages that users have completed, before the caller's own `oncomplete`
 * @throws TypeError for `roots` and `onRoots` together, and for invalid roots
 */
export function answerFeatures(
  { onElicit, onSample, sampling, roots, onRoots }: Answers,
  heard: (elicitationId: string) => void,
): AnswerFeatures {
  if (roots && onRoots) throw new TypeError("Pass roots or onRoots, not both");
  const elicitation = onElicit && elicitationOf(onElicit, heard);
  const handler = onSample as RequestHandler<SamplingRequest, object> | undefined;
  const features = [
    elicitation,
    handler && new Sampling(handler, sampling),
    roots && (roots instanceof Roots ? roots : new Roots(roots)),
    onRoots && rootsFrom(onRoots),
  ];
  const opensPages = typeof onElicit === "function" || onElicit?.url !== undefined;
  return {
    elicitation: opensPages ? elicitation : undefined,
    features: features.filter((feature) => feature !== undefined),
  };
}

function elicitationOf(
  given: NonNullable<Answers["onElicit"]>,
  heard: (elicitationId: string) => void,
): Elicitation {
  const options: ElicitationOptions =
    typeof given === "function" ? { form: given, url: given } : given;
  return new Elicitation({
    ...options,
    oncomplete: (id, context) => {
      heard(id);
      return options.oncomplete?.(id, context);
    },
  });
}

function rootsFrom(list: NonNullable<Answers["onRoots"]>): Feature {
  return {
    handlers: {
      "roots/list": async (_params, context) => {
        const listed: unknown = await list(context);
        return Array.isArray(listed) ? { roots: listed } : listed;
      },
    },
  };
}

/** Milliseconds before a request is repeated that waits for the user to complete a page. */
const PAUSES = [1000, 2000, 5000, 10_000, 30_000] as const;
const LONGEST = 600_000;

/** Number of times that a request is repeated after the user's return was reported. */
const TRIES_AFTER_RETURN = 3;

/** A page that the user has been sent to. */
interface Visit {
  isDone: boolean;
  /** Number of times that the request was repeated since. */
  tries: number;
  wake(): void;
}

export interface PageVisitOptions {
  /** Milliseconds for which a request is repeated; 0: it is not repeated, and no user is asked. */
  readonly longest: number | undefined;
  /** Maximum number of pages that a user is sent to for one request. */
  readonly mostPages: number;
}

/**
 * Sends the user to the pages that a server requires when it refuses a request, once to each, and
 * then sends the request again (MCP: elicitation, URL mode). In other revisions, such pages are
 * questions inside a result.
 */
export class PageVisits {
  readonly #elicitation: () => Elicitation | undefined;
  readonly #options: PageVisitOptions;
  /** Visits by the server's id. */
  readonly #visits = new Map<string, Visit>();

  constructor(elicitation: () => Elicitation | undefined, options: PageVisitOptions) {
    this.#elicitation = elicitation;
    this.#options = options;
  }

  /** Records the server's notification that the user has completed a page. */
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

  /** @param refusal - error response to the request */
  async #retry(message: Sending, send: Send, started: number, refusal: unknown): Promise<unknown> {
    const { longest = LONGEST, mostPages } = this.#options;
    const until = started + Math.min(message.options.maxTotalTimeout ?? longest, longest);
    // A server may use another id in each refusal, so pages are identified by URL.
    const own = new Map<string, Visit>();
    const ids = new Set<string>();
    let error = refusal;
    try {
      for (let attempt = 0; ; attempt += 1) {
        const pages = urlElicitationsOf(error);
        const isOver = performance.now() >= until || [...own.values()].some(isHopeless);
        if (pages.length === 0 || isOver) throw error;
        for (const page of pages) {
          if (!own.has(page.url)) {
            if (own.size >= mostPages) throw error;
            await this.#visit(page, own, ids, message);
          }
          const id = page.elicitationId!;
          if (this.#visits.has(id)) continue;
          ids.add(id);
          this.#visits.set(id, own.get(page.url)!);
          this.#elicitation()!.expect(message.session, id);
        }
        const pause = PAUSES[Math.min(attempt, PAUSES.length - 1)]!;
        await returned([...own.values()], pause, message.options.signal);
        try {
          return await send();
        } catch (again) {
          error = again;
        }
      }
    } finally {
      for (const id of ids) this.#visits.delete(id);
    }
  }

  /** @throws InputRefusedError if the user declines */
  async #visit(
    page: UrlElicitation,
    own: Map<string, Visit>,
    ids: Set<string>,
    message: Sending,
  ): Promise<void> {
    const visit = { isDone: false, tries: 0, wake: () => {} };
    own.set(page.url, visit);
    ids.add(page.elicitationId!);
    this.#visits.set(page.elicitationId!, visit);
    const ask = this.#elicitation()!.handlers["elicitation/create"]!;
    const { action } = (await ask(page, contextOf(message))) as ElicitationAnswer;
    if (action === "accept") return;
    const problem = `the user chose to ${action}`;
    throw new InputRefusedError(message.method, "elicitation/create", problem);
  }
}

/** True if the user has returned from a page, but the server still requires a visit. */
function isHopeless({ isDone, tries }: Visit): boolean {
  return isDone && tries > TRIES_AFTER_RETURN;
}

/**
 * Resolves when the user has completed all pages, or after a pause, because the server need not
 * send a notification.
 */
async function returned(
  visits: readonly Visit[],
  pause: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { promise, resolve } = resolvable();
  const wake = (): void => {
    const isNews = visits.some(({ tries }) => tries === 0);
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
  for (const visit of visits) if (visit.isDone) visit.tries += 1;
}

function resolvable(): { promise: Promise<void>; resolve: () => void } {
  let resolve: (() => void) | undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: resolve! };
}

/**
 * Context of a handler that is called for a message of this side, without a request of the server.
 */
export function contextOf({ session, options, method, params }: Sending): HandlerContext {
  const { signal = new AbortController().signal } = options;
  return {
    method: "elicitation/create",
    id: undefined,
    session,
    call: { method, params, context: options.context },
    auth: undefined,
    header: () => undefined,
    signal,
    params,
    meta: undefined,
    progress: () => {},
    request: session.request.bind(session) as HandlerContext["request"],
    notify: session.notify.bind(session) as HandlerContext["notify"],
    once: async (_key, work) => work(),
    answers: {},
    state: undefined,
    requireScopes: () => {},
    releaseStream: () => {},
  };
}
