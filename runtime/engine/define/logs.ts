import type { RequestRecord } from "../../api/index.js";
import { type RateGate, quiet, rateGate } from "../../ground/index.js";
import { HandlerError } from "../../wire/index.js";
import type { RequestContext } from "../receive/request-context.js";

export interface RequestLog {
  arrived(context: RequestContext): void;
  over(context: RequestContext, end: Pick<RequestRecord, "outcome" | "code" | "reason">): void;
}

export function requestLog(
  listener: (record: RequestRecord) => void,
  report: (error: Error) => void,
): RequestLog {
  /** The arrival times of requests in flight, on the `performance.now()` clock. */
  const arrivals = new WeakMap<RequestContext, number>();
  return {
    arrived: (context) => void arrivals.set(context, performance.now()),
    over(context, end) {
      const { method, id, binding, auth, session } = context;
      const arrival = arrivals.get(context);
      if (arrival === undefined) return;
      arrivals.delete(context);
      const revision = binding.revision?.id;
      const milliseconds = performance.now() - arrival;
      const sender = { principal: auth?.principal, sessionId: session.id };
      try {
        listener({ method, id: id!, revision, ...sender, milliseconds, ...end });
      } catch (error) {
        report(error as Error);
      }
    },
  };
}

/** Returns a function that passes errors to `onerror` and ignores any error that `onerror` itself throws. */
export function reporter(onerror: (error: Error) => unknown = errorLog()): (error: Error) => void {
  return (error) => {
    try {
      const result = onerror(error);
      if (result instanceof Promise) void quiet(result);
    } catch {
      // There is nothing left to report it to.
    }
  };
}

/**
 * Creates the default `onerror`. It prints one line per error with `console.error`, and adds the stack if a handler
 * threw the error. Output is rate-limited so that a peer cannot flood the log; suppressed errors are counted.
 */
export function errorLog(): (error: Error) => void {
  // Created when the first error occurs: most processes have none, and the first use of `performance` is slow.
  let gate: RateGate | undefined;
  let omitted = 0;
  return (error) => {
    gate ??= rateGate();
    if (!gate()) {
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
