import { REQUESTS_OWN_IO, TransientMap } from "../../../ground/index.js";
import { intervalTimer, newDrain, repeat } from "../limits.js";
import type { HttpHandlerOptions, Settings } from "../option-types.js";
import type { Post } from "./post.js";
import { type Problem, PROBLEMS } from "./problem.js";

interface Load {
  readonly posts: number;
  readonly bytes: number;
}

const NONE: Load = { posts: 0, bytes: 0 };

/**
 * The POSTs that are waiting for an answer. If the wait is long, the answer becomes a stream, so that its connection
 * can be kept alive.
 */
export interface PostsInFlight {
  readonly size: number;
  readonly bytes: number;
  /** The number of HTTP requests whose senders are being identified or whose bodies are being read. */
  arriving: number;
  dispatched(): void;
  whyFull(account: Post["account"], size: number): Problem | undefined;
  add(post: Post): void;
  delete(post: Post): void;
  /** Waits at most this long for all POSTs to be answered, then abandons those that are left. */
  finish(milliseconds: number): Promise<void>;
}

export function postsInFlight(limits: Settings<HttpHandlerOptions>): PostsInFlight {
  const { upgradeAfter } = limits;
  /** The POSTs in the order in which they began to wait, with the time of that on the `performance.now()` clock. */
  const posts = new TransientMap<Post, number>();
  const loads = new Map<object | string, Load>();
  const draining = newDrain();
  let total = 0;
  let isFinishing = false;

  const timer = intervalTimer(Math.min(Math.max(upgradeAfter / 8, 10), 1000), () => {
    const now = performance.now();
    for (const [post, since] of posts) {
      if (now - since < upgradeAfter) break;
      if (post.canSend) post.open();
    }
    return posts.size > 0;
  });
  /**
   * Opens a stream for a POST that is still waiting; returns false if it no longer is. On Workers, each POST has its
   * own timer, because Workers end a request that does not wait for an operation of its own.
   */
  const upgradeOne = (post: Post): boolean => {
    const isWaiting = posts.has(post);
    if (isWaiting && post.canSend) post.open();
    return isWaiting;
  };
  const count = ({ account, size }: Post, change: 1 | -1): void => {
    const more = size * change;
    total += more;
    if (account === undefined) return;
    const before = loads.get(account) ?? NONE;
    const load = { posts: before.posts + change, bytes: before.bytes + more };
    if (load.posts > 0) loads.set(account, load);
    else loads.delete(account);
  };
  const isIdle = (): boolean => posts.size === 0 && inFlight.arriving === 0;

  const inFlight: PostsInFlight = {
    get size() {
      return posts.size;
    },
    get bytes() {
      return total;
    },
    arriving: 0,
    dispatched() {
      inFlight.arriving -= 1;
      if (isFinishing && isIdle()) draining.finish();
    },
    whyFull(account, size) {
      if (posts.size >= limits.maxRequests) return PROBLEMS.overloaded;
      const own = (account && loads.get(account)) || NONE;
      const isSender = typeof account === "string";
      if (isSender && own.posts >= limits.maxRequestsPerPrincipal) return PROBLEMS.senderOverloaded;
      if (own.bytes > 0 && own.bytes + size > limits.maxBytesUnderWayPerSession)
        return PROBLEMS.senderOverloaded;
      return total > 0 && total + size > limits.maxBytesUnderWay ? PROBLEMS.overloaded : undefined;
    },
    add(post) {
      posts.set(post, performance.now());
      count(post, 1);
      if (REQUESTS_OWN_IO) repeat(upgradeAfter, () => upgradeOne(post));
      else if (upgradeAfter !== Infinity) timer.start();
    },
    delete(post) {
      if (!posts.delete(post)) return;
      count(post, -1);
      if (isFinishing && isIdle()) draining.finish();
    },
    async finish(milliseconds) {
      isFinishing = true;
      if (!isIdle() && milliseconds > 0) await draining.wait(milliseconds);
      timer.stop();
      for (const { host } of posts.keys()) host.leave();
    },
  };
  return inFlight;
}
