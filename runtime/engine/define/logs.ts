import type { RequestRecord } from "../../api/index.js";
import { RateGate } from "../../ground/index.js";
import { HandlerError } from "../../wire/index.js";
import type { RequestContext } from "../receive/request-context.js";

/** Reports each received request when it has ended. */
export class RequestLog {
  readonly #tell: (record: RequestRecord) => void;
  readonly #report: (error: Error) => void;
  /** Arrival times of the requests in flight, on the clock of `performance.now()`. */
  readonly #arrivals = new WeakMap<RequestContext, number>();

  constructor(tell: (record: RequestRecord) => void, report: (error: Error) => void) {
    this.#tell = tell;
    this.#report = report;
  }

  arrived(context: RequestContext): void {
    this.#arrivals.set(context, performance.now());
  }

  over(context: RequestContext, end: Pick<RequestRecord, "outcome" | "code" | "reason">): void {
    const { method, id, binding, auth, session } = context;
    const arrival = this.#arrivals.get(context);
    if (arrival === undefined) return;
    this.#arrivals.delete(context);
    try {
      this.#tell({
        method,
        id: id!,
        revision: binding.revision?.id,
        principal: auth?.principal,
        sessionId: session.id,
        milliseconds: performance.now() - arrival,
        ...end,
      });
    } catch (error) {
      this.#report(error as Error);
    }
  }
}

/**
 * Creates the default `onerror`, which prints one line per error with `console.error`, with the
 * stack of an error that a handler threw. It is rate limited, so a peer cannot flood it; suppressed
 * errors are counted.
 */
export function errorLog(): (error: Error) => void {
  const gate = new RateGate();
  let omitted = 0;
  return (error) => {
    if (!gate.pass()) {
      omitted += 1;
      return;
    }
    const more = omitted > 0 ? ` (${omitted} more errors were not shown)` : "";
    omitted = 0;
    console.error(`${error.name}: ${error.message}${more}${stackOf(error)}`);
  };
}

function stackOf(error: Error): string {
  const { cause } = error;
  return error instanceof HandlerError && cause instanceof Error ? `\n${cause.stack}` : "";
}
