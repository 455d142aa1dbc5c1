import type { HandlerContext } from "../../api/index.js";
import { Throttle } from "../../ground/index.js";
import { LifecycleError, type Revision, isObject, isRequestId } from "../../wire/index.js";

const NOT_SENT = "The progress was not sent";

/** Sends the progress that a handler reports: only increasing values, at a limited rate. */
export class ProgressSender {
  readonly #token: unknown;
  readonly #tellsMessage: boolean;
  readonly #throttle: Throttle<object>;
  #last = -Infinity;
  #isOver = false;

  /**
   * @param meta - `_meta` of the request, with the progress token if the peer requested progress
   * @param send - receives the parameters of a notification
   */
  constructor(
    meta: Readonly<Record<string, unknown>> | undefined,
    revision: Revision | undefined,
    send: (news: object) => void,
  ) {
    this.#token = meta?.["progressToken"];
    this.#tellsMessage = revision?.traits.progressMessage === true;
    this.#throttle = new Throttle(send);
  }

  readonly report: HandlerContext["progress"] = (progress, total, message, meta) => {
    const isNews = Number.isFinite(progress) && progress > this.#last;
    if (!isNews || this.#isOver || !isRequestId(this.#token)) return;
    this.#last = progress;
    this.#throttle.offer({
      progressToken: this.#token,
      progress,
      ...(Number.isFinite(total) ? { total } : {}),
      ...(message !== undefined && this.#tellsMessage ? { message } : {}),
      ...(meta === undefined ? {} : { _meta: meta }),
    });
  };

  /**
   * Records progress that a handler sends itself; held-back progress is sent before it.
   * @throws TypeError for progress of another request, or progress that does not increase
   * @throws LifecycleError for progress after the request has ended
   */
  noteOwn(news: unknown): void {
    const { progressToken, progress } = isObject(news) ? news : {};
    if (this.#isOver) throw new LifecycleError(`${NOT_SENT}: the request has its answer`);
    if (this.#token === undefined) throw notSent("the request does not ask for progress");
    if (progressToken !== this.#token) throw notSent("the token is not that of the request");
    this.#throttle.flush();
    if (typeof progress !== "number" || !(progress > this.#last)) {
      throw notSent("it has to increase");
    }
    this.#last = progress;
  }

  /** Sends the held-back progress; nothing is sent afterwards. */
  finish(): void {
    this.#throttle.flush();
    this.#isOver = true;
  }

  /** Discards the held-back progress; nothing is sent afterwards. */
  stop(): void {
    this.#throttle.drop();
    this.#isOver = true;
  }
}

function notSent(problem: string): TypeError {
  return new TypeError(`${NOT_SENT}: ${problem}`);
}
