import { REQUESTS_OWN_IO } from "../../../ground/index.js";
import { Drain, IntervalTimer, repeat } from "../limits.js";
import type { HttpHandlerOptions, Settings } from "../option-types.js";
import type { Post } from "./post.js";
import { OVERLOADED, type Problem, SESSION_OVERLOADED } from "./problem.js";

/** POSTs of one session or sender that wait for answers. */
interface Load {
  readonly posts: number;
  readonly bytes: number;
}

const NONE: Load = { posts: 0, bytes: 0 };

/** Limits of {@link PostsInFlight}; `HttpHandlerOptions` documents them. */
export type PostLimits = Pick<
  Settings<HttpHandlerOptions>,
  | "maxRequests"
  | "maxBytesUnderWay"
  | "maxBytesUnderWayPerSession"
  | "maxRequestsPerPrincipal"
  | "upgradeAfter"
>;

/** The POSTs that wait for an answer. A long wait becomes a stream, so that its connection can be kept alive. */
export class PostsInFlight {
  readonly #limits: PostLimits;
  /** POSTs in the order of their arrival. */
  readonly #posts = new Set<Post>();
  /** Total size of their bodies. */
  bytes = 0;
  /** HTTP requests whose senders are being identified, or whose bodies are being read. */
  #arriving = 0;
  readonly #loads = new Map<object | string, Load>();
  readonly #timer: IntervalTimer;
  readonly #drain = new Drain();
  #isFinishing = false;

  constructor(limits: PostLimits) {
    this.#limits = limits;
    const interval = Math.min(Math.max(limits.upgradeAfter / 8, 10), 1000);
    this.#timer = new IntervalTimer(interval, () => this.#upgrade());
  }

  get size(): number {
    return this.#posts.size;
  }

  /** Called when an HTTP request arrives; {@link dispatched} follows. */
  arrived(): void {
    this.#arriving += 1;
  }

  /** Called when an HTTP request has been dispatched, or refused. */
  dispatched(): void {
    this.#arriving -= 1;
    if (this.#isFinishing) this.#finishIfIdle();
  }

  /** Problem of one more POST of this size, if that exceeds a limit. */
  whyFull(account: Post["account"], size: number): Problem | undefined {
    const limits = this.#limits;
    if (this.#posts.size >= limits.maxRequests) return OVERLOADED;
    const { posts, bytes } = (account && this.#loads.get(account)) || NONE;
    const isSender = typeof account === "string";
    if (isSender && posts >= limits.maxRequestsPerPrincipal) return SESSION_OVERLOADED;
    if (bytes > 0 && bytes + size > limits.maxBytesUnderWayPerSession) return SESSION_OVERLOADED;
    return this.bytes > 0 && this.bytes + size > limits.maxBytesUnderWay ? OVERLOADED : undefined;
  }

  add(post: Post): void {
    post.since = performance.now();
    this.#posts.add(post);
    this.#count(post, 1);
    const { upgradeAfter } = this.#limits;
    if (REQUESTS_OWN_IO) repeat(upgradeAfter, () => this.#upgradeOne(post));
    else if (upgradeAfter !== Infinity) this.#timer.start();
  }

  delete(post: Post): void {
    if (!this.#posts.delete(post)) return;
    this.#count(post, -1);
    if (this.#isFinishing) this.#finishIfIdle();
  }

  /** Waits until there are none, then abandons the rest. */
  async finish(milliseconds: number): Promise<void> {
    this.#isFinishing = true;
    const isIdle = this.#posts.size === 0 && this.#arriving === 0;
    if (!isIdle && milliseconds > 0) await this.#drain.wait(milliseconds);
    this.#timer.stop();
    for (const { host } of this.#posts) host.leave();
  }

  #finishIfIdle(): void {
    if (this.#posts.size === 0 && this.#arriving === 0) this.#drain.finish();
  }

  #count({ account, size }: Post, change: 1 | -1): void {
    const more = size * change;
    this.bytes += more;
    if (account === undefined) return;
    const { posts, bytes } = this.#loads.get(account) ?? NONE;
    const load = { posts: posts + change, bytes: bytes + more };
    if (load.posts > 0) this.#loads.set(account, load);
    else this.#loads.delete(account);
  }

  /**
   * The timer lasts as long as the request: Workers end a request that does not wait for an
   * operation of its own.
   */
  #upgradeOne(post: Post): boolean {
    const isWaiting = this.#posts.has(post);
    if (isWaiting && post.canSend) post.open();
    return isWaiting;
  }

  #upgrade(): boolean {
    const now = performance.now();
    for (const post of this.#posts) {
      if (now - post.since < this.#limits.upgradeAfter) break;
      if (post.canSend) post.open();
    }
    return this.#posts.size > 0;
  }
}
