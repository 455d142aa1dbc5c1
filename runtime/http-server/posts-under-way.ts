import { Drain } from "./drain.js";
import { DEFAULTS, type HttpHandlerOptions } from "./options.js";
import type { Post } from "./post.js";
import { OVERLOADED, type Problem, SESSION_OVERLOADED } from "./problem.js";
import { Pulse } from "./pulse.js";

/** The requests that wait for an answer. What takes long becomes a stream, so that its connection can be kept alive. */
export class PostsUnderWay {
  readonly #limits: HttpHandlerOptions;
  readonly #upgradeAfter: number;
  /** In the order in which they began. */
  readonly #posts = new Set<Post>();
  /** Of their bodies, in all and by account. */
  #bytes = 0;
  readonly #bytesOf = new Map<object | string, number>();
  readonly #pulse: Pulse;
  readonly #drain = new Drain();

  constructor(options: HttpHandlerOptions) {
    const { upgradeAfter = DEFAULTS.upgradeAfter } = options;
    this.#limits = options;
    this.#upgradeAfter = upgradeAfter;
    const interval = Math.min(Math.max(upgradeAfter / 8, 10), 1000);
    this.#pulse = new Pulse(interval, () => this.#upgrade());
  }

  /** Why there is no room for one more, of so many bytes. */
  whyFull(account: Post["account"], size: number): Problem | undefined {
    const {
      maxRequests = DEFAULTS.maxRequests,
      maxBytesUnderWay = DEFAULTS.maxBytesUnderWay,
      maxBytesUnderWayPerSession = DEFAULTS.maxBytesUnderWayPerSession,
    } = this.#limits;
    if (this.#posts.size >= maxRequests) return OVERLOADED;
    const own = (account && this.#bytesOf.get(account)) || 0;
    if (own > 0 && own + size > maxBytesUnderWayPerSession) return SESSION_OVERLOADED;
    return this.#bytes > 0 && this.#bytes + size > maxBytesUnderWay ? OVERLOADED : undefined;
  }

  add(post: Post): void {
    this.#posts.add(post);
    this.#count(post, post.size);
    if (this.#upgradeAfter !== Infinity) this.#pulse.start();
  }

  delete(post: Post): void {
    if (!this.#posts.delete(post)) return;
    this.#count(post, -post.size);
    if (this.#posts.size === 0) this.#drain.finish();
  }

  /** Waits until there are none, then gives up on those that are left. */
  async finish(milliseconds: number): Promise<void> {
    if (this.#posts.size > 0 && milliseconds > 0) await this.#drain.wait(milliseconds);
    this.#pulse.stop();
    for (const { host } of this.#posts) host.end();
  }

  #count({ account }: Post, size: number): void {
    this.#bytes += size;
    if (account === undefined) return;
    const own = (this.#bytesOf.get(account) ?? 0) + size;
    if (own > 0) this.#bytesOf.set(account, own);
    else this.#bytesOf.delete(account);
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
