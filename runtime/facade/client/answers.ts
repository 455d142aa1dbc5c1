import {
  type AnySendMiddleware,
  type Feature,
  type HandlerContext,
  type RequestHandler,
  type Send,
  type Sending,
  type Session,
  limitsOf,
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
} from "../../features/client/index.js";
import type { Answers, ConnectOptions } from "./client-options.js";
import { type Method } from "../../wire/index.js";
import { InputRefusedError } from "../../wire/client-errors/index.js";

export function answerFeatures(options: ConnectOptions): readonly Feature[] {
  const { onElicit, onSample, sampling, roots, onRoots, pageTimeout, limits } = options;
  if (roots && onRoots) throw new TypeError("Pass roots or onRoots, not both");
  const visits = new Map<string, Visit>();
  const elicitation = onElicit && elicitationOf(onElicit, (id) => recordReturn(visits, id));
  const handler = onSample as RequestHandler<SamplingRequest, object> | undefined;
  const opensPages = typeof onElicit === "function" || onElicit?.url !== undefined;
  const features = [
    elicitation,
    handler && new Sampling(handler, sampling),
    roots && ("handlers" in roots ? roots : new Roots(roots)),
    onRoots && rootsFrom(onRoots),
    elicitation && opensPages && pageTimeout !== 0
      ? {
          handlers: {},
          sending: [pageVisits(elicitation, visits, pageTimeout, limitsOf(limits).rounds)],
        }
      : undefined,
  ];
  return features.filter((feature) => feature !== undefined);
}

function elicitationOf(
  given: NonNullable<Answers["onElicit"]>,
  completed: (elicitationId: string) => void,
): Elicitation {
  const options: ElicitationOptions =
    typeof given === "function" ? { form: given, url: given } : given;
  return new Elicitation({
    ...options,
    oncomplete: (id, context) => {
      completed(id);
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

/** The pauses between attempts while the user completes a page, in milliseconds. */
const PAUSES = [1000, 2000, 5000, 10_000, 30_000] as const;
const LONGEST = 600_000;

/** The number of times a request is repeated after the user's return has been reported. */
const TRIES_AFTER_RETURN = 3;

interface Visit {
  isDone: boolean;
  /** The number of times the request has been repeated since the user returned from the page. */
  tries: number;
  wake(): void;
}

function recordReturn(visits: ReadonlyMap<string, Visit>, elicitationId: string): void {
  const visit = visits.get(elicitationId);
  if (visit === undefined) return;
  visit.isDone = true;
  visit.wake();
}

/**
 * Creates the middleware for servers that refuse a request until the user has visited web pages (MCP: elicitation, URL
 * mode). It sends the user to each page once and then repeats the request. It applies to sessions only: stateless
 * servers request such pages inside a result.
 *
 * @param visits - the visits in progress, by the server's id
 * @param longest - the time, in milliseconds, for which a request is repeated
 * @param mostPages - the maximum number of pages that a user is sent to for one request
 */
function pageVisits(
  elicitation: Elicitation,
  visits: Map<string, Visit>,
  longest: number = LONGEST,
  mostPages: number,
): AnySendMiddleware {
  const visiting: AnySendMiddleware = (message, send) => {
    const started = performance.now();
    return send().catch((error: unknown) => retry(message, send, started, error));
  };
  return Object.assign(visiting, { concerns: mayNeedPages });

  async function retry(
    message: Sending,
    send: Send,
    started: number,
    refusal: unknown,
  ): Promise<unknown> {
    const until = started + Math.min(message.options.maxTotalTimeout ?? longest, longest);
    // A server may use a different id in each refusal, so pages are identified by URL.
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
            await visit(page, own, ids, message);
          }
          const id = page.elicitationId!;
          if (visits.has(id)) continue;
          ids.add(id);
          visits.set(id, own.get(page.url)!);
          elicitation.expect(message.session, id);
        }
        const pause = PAUSES[Math.min(attempt, PAUSES.length - 1)]!;
        await untilReturned([...own.values()], pause, message.options.signal);
        try {
          return await send();
        } catch (again) {
          error = again;
        }
      }
    } finally {
      for (const id of ids) visits.delete(id);
    }
  }

  async function visit(
    page: UrlElicitation,
    own: Map<string, Visit>,
    ids: Set<string>,
    message: Sending,
  ): Promise<void> {
    const one = { isDone: false, tries: 0, wake: () => {} };
    own.set(page.url, one);
    ids.add(page.elicitationId!);
    visits.set(page.elicitationId!, one);
    const ask = elicitation.handlers["elicitation/create"]!;
    const { action } = (await ask(page, contextOf(message))) as ElicitationAnswer;
    if (action === "accept") return;
    const problem = `the user chose to ${action}`;
    throw new InputRefusedError(message.method, "elicitation/create", problem);
  }
}

function mayNeedPages({ kind }: Method, { revision }: Session): boolean {
  return kind === "request" && revision.traits.serverRequests === "wire";
}

function isHopeless({ isDone, tries }: Visit): boolean {
  return isDone && tries > TRIES_AFTER_RETURN;
}

/**
 * Resolves after a pause, because the server need not send a notification. Resolves sooner if the user has completed
 * all pages, at least one of them since the request was last repeated. Rejects if the signal is aborted.
 */
async function untilReturned(
  visits: readonly Visit[],
  pause: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { promise, resolve } = resolvable();
  const wake = (): void => {
    const isNew = visits.some(({ tries }) => tries === 0);
    if (isNew && visits.every(({ isDone }) => isDone)) resolve();
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

/** Creates the context for a handler that this side calls on its own, without a request from the server. */
function contextOf({ session, options, method, params }: Sending): HandlerContext {
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
