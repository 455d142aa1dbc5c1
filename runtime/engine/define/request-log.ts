import type { RequestRecord } from "../../api/index.js";
import type { RequestContext } from "../receive/request-context.js";

/** Tells of each received request when it is over. */
export class RequestLog {
  readonly #tell: (record: RequestRecord) => void;
  readonly #report: (error: Error) => void;
  /** Arrival of the requests in flight, on the clock of `performance.now()`. */
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
