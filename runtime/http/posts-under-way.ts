import { Drain } from "./drain.js";
import type { Post } from "./post.js";
import { Pulse } from "./pulse.js";

/** The requests that wait for an answer. What takes long becomes a stream, so that its connection can be kept alive. */
export class PostsUnderWay {
  readonly #limit: number;
  readonly #upgradeAfter: number;
  /** In the order in which they began. */
  readonly #posts = new Set<Post>();
  readonly #pulse: Pulse;
  readonly #drain = new Drain();

  /** @param upgradeAfter - milliseconds */
  constructor(limit: number, upgradeAfter: number) {
    this.#limit = limit;
    this.#upgradeAfter = upgradeAfter;
    const interval = Math.min(Math.max(upgradeAfter / 8, 10), 1000);
    this.#pulse = new Pulse(interval, () => this.#upgrade());
  }

  get isFull(): boolean {
    return this.#posts.size >= this.#limit;
  }

  add(post: Post): void {
    this.#posts.add(post);
    if (this.#upgradeAfter !== Infinity) this.#pulse.start();
  }

  delete(post: Post): void {
    if (this.#posts.delete(post) && this.#posts.size === 0) this.#drain.finish();
  }

  /** Waits until there are none, then gives up on those that are left. */
  async finish(milliseconds: number): Promise<void> {
    if (this.#posts.size > 0 && milliseconds > 0) await this.#drain.wait(milliseconds);
    this.#pulse.stop();
    for (const { host } of this.#posts) host.end();
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
