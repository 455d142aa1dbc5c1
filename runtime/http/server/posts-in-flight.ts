import { Drain } from "./drain.js";
import { DEFAULTS, type HttpHandlerOptions } from "./options.js";
import type { Post } from "./post.js";
import { OVERLOADED, type Problem, SESSION_OVERLOADED } from "./problem.js";
import { IntervalTimer } from "./interval-timer.js";

/** Load of an account: its POSTs in flight. */
interface Load {
  readonly posts: number;
  readonly bytes: number;
}

const NONE: Load = { posts: 0, bytes: 0 };

/** The requests that wait for an answer. What takes long becomes a stream, so that its connection can be kept alive. */
export class PostsInFlight {
  readonly #limits: HttpHandlerOptions;
  readonly #upgradeAfter: number;
  /** POSTs in the order of their arrival. */
  readonly #posts = new Set<Post>();
  /** Total size of their bodies, in bytes. */
  #bytes = 0;
  /** Requests that have come and are not handed over yet: their senders are being identified, or their bodies read. */
  #arriving = 0;
  readonly #loads = new Map<object | string, Load>();
  readonly #timer: IntervalTimer;
  readonly #drain = new Drain();

  constructor(options: HttpHandlerOptions) {
    const { upgradeAfter = DEFAULTS.upgradeAfter } = options;
    this.#limits = options;
    this.#upgradeAfter = upgradeAfter;
    const interval = Math.min(Math.max(upgradeAfter / 8, 10), 1000);
    this.#timer = new IntervalTimer(interval, () => this.#upgrade());
  }

  get size(): number {
    return this.#posts.size;
  }

  /** Total size of the bodies, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A request has come; {@link handedOver} follows. */
  arrived(): void {
    this.#arriving += 1;
  }

  /** A request has been handed over, or refused. */
  handedOver(): void {
    this.#arriving -= 1;
    this.#finishIfOver();
  }

  /** Why there is no room for one more, of so many bytes. */
  whyFull(account: Post["account"], size: number): Problem | undefined {
    const {
      maxRequests = DEFAULTS.maxRequests,
      maxBytesUnderWay = DEFAULTS.maxBytesUnderWay,
      maxBytesUnderWayPerSession = DEFAULTS.maxBytesUnderWayPerSession,
      maxRequestsPerPrincipal = DEFAULTS.maxRequestsPerPrincipal,
    } = this.#limits;
    if (this.#posts.size >= maxRequests) return OVERLOADED;
    const { posts, bytes } = (account && this.#loads.get(account)) || NONE;
    const isSender = typeof account === "string";
    if (isSender && posts >= maxRequestsPerPrincipal) return SESSION_OVERLOADED;
    if (bytes > 0 && bytes + size > maxBytesUnderWayPerSession) return SESSION_OVERLOADED;
    return this.#bytes > 0 && this.#bytes + size > maxBytesUnderWay ? OVERLOADED : undefined;
  }

  add(post: Post): void {
    post.since = performance.now();
    this.#posts.add(post);
    this.#count(post, 1);
    if (this.#upgradeAfter !== Infinity) this.#timer.start();
  }

  delete(post: Post): void {
    if (!this.#posts.delete(post)) return;
    this.#count(post, -1);
    this.#finishIfOver();
  }

  /** Waits until there are none, then gives up on those that are left. */
  async finish(milliseconds: number): Promise<void> {
    if (!this.#isOver && milliseconds > 0) await this.#drain.wait(milliseconds);
    this.#timer.stop();
    for (const { host } of this.#posts) host.leave();
  }

  get #isOver(): boolean {
    return this.#posts.size === 0 && this.#arriving === 0;
  }

  #finishIfOver(): void {
    if (this.#isOver) this.#drain.finish();
  }

  #count({ account, size }: Post, change: 1 | -1): void {
    const more = size * change;
    this.#bytes += more;
    if (account === undefined) return;
    const { posts, bytes } = this.#loads.get(account) ?? NONE;
    const load = { posts: posts + change, bytes: bytes + more };
    if (load.posts > 0) this.#loads.set(account, load);
    else this.#loads.delete(account);
  }

  #upgrade(): boolean {
    const now = performance.now();
    for (const post of this.#posts) {
      if (now - post.since < this.#upgradeAfter) break;
      if (post.canTell) post.open();
    }
    return this.#posts.size > 0;
  }
}
