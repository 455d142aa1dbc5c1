import type { HandlerContext } from "../../api/index.js";
import { throttled } from "../../ground/index.js";
import { LifecycleError, type Revision, isObject, isRequestId } from "../../wire/index.js";

const NOT_SENT = "The progress was not sent";

/** Sends the progress that a handler reports: only increasing values, at a limited rate. */
export interface ProgressSender {
  readonly report: HandlerContext["progress"];
  /**
   * Records progress that a handler sends itself as a notification. Held-back progress is sent before it.
   *
   * @throws TypeError if the progress belongs to another request or does not increase
   * @throws LifecycleError if the request has already ended
   */
  noteOwn(params: unknown): void;
  /** Sends the held-back progress; nothing is sent afterwards. */
  finish(): void;
  /** Discards the held-back progress; nothing is sent afterwards. */
  stop(): void;
}

export function progressSender(
  meta: Readonly<Record<string, unknown>> | undefined,
  revision: Revision | undefined,
  send: (params: object) => void,
): ProgressSender {
  const token = meta?.["progressToken"];
  const throttle = throttled(send);
  let last = -Infinity;
  let isOver = false;
  return {
    report(progress, total, message, ownMeta) {
      if (!isIncrease(progress, last) || isOver || !isRequestId(token)) return;
      last = progress;
      const hasMessage = message !== undefined && revision?.traits.progressMessage === true;
      throttle.offer({
        progressToken: token,
        progress,
        ...(Number.isFinite(total) ? { total } : {}),
        ...(hasMessage ? { message } : {}),
        ...(ownMeta === undefined ? {} : { _meta: ownMeta }),
      });
    },
    noteOwn(params) {
      const { progressToken, progress } = isObject(params) ? params : {};
      if (isOver) throw new LifecycleError(`${NOT_SENT}: the request has been answered`);
      if (token === undefined) throw notSent("the request has no progress token");
      if (progressToken !== token) throw notSent("the token is not that of the request");
      throttle.flush();
      if (!isIncrease(progress, last)) throw notSent("it must increase, and be a finite number");
      last = progress;
    },
    finish() {
      throttle.flush();
      isOver = true;
    },
    stop() {
      throttle.drop();
      isOver = true;
    },
  };
}

/** @throws TypeError if the progress is not a number */
export function assertProgress(progress: unknown): asserts progress is number {
  if (typeof progress !== "number") throw notSent("it must be a number");
}

function isIncrease(progress: unknown, last: number): progress is number {
  assertProgress(progress);
  return Number.isFinite(progress) && progress > last;
}

function notSent(problem: string): TypeError {
  return new TypeError(`${NOT_SENT}: ${problem}`);
}
