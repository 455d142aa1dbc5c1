import { revision } from "../../../../generated/2026-07-28/index.js";
import type { FeatureHost } from "../../../../runtime/api/feature.js";
import {
  ResponseCache,
  type ResponseCacheOptions,
} from "../../../../runtime/facade/cache/index.js";
import type { RequestOptions } from "../../../../runtime/api/index.js";
import type { Revision } from "../../../../runtime/wire/revision/revision.js";
import type { Session } from "../../../../runtime/api/handlers.js";

export type Answer = (params: unknown) => unknown;

/** A cache between a client and a server that counts requests. */
export class Cached {
  readonly cache: ResponseCache;
  /** The requests that reached the server. */
  readonly asked: { method: string; params: unknown }[] = [];
  answer: Answer;
  session: Session;

  constructor(
    answer: Answer,
    options: ResponseCacheOptions = {},
    spoken: Revision = revision,
    host: FeatureHost = { revisions: [spoken], report: () => {} } as unknown as FeatureHost,
  ) {
    this.answer = answer;
    this.cache = new ResponseCache(options);
    this.cache.attach(host);
    this.session = sessionOf(spoken);
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  async ask(method: string, params?: object, options: RequestOptions = {}): Promise<any> {
    const { session } = this;
    const message = {
      kind: "request",
      method,
      params,
      options,
      context: undefined,
      session,
    } as const;
    return this.cache.sending[0]!(message, async () => {
      this.asked.push({ method, params });
      return this.answer(params);
    });
  }
}

export function sessionOf(spoken: Revision = revision): Session {
  return { revision: spoken } as Session;
}

let made = 0;

/** Creates a list that says how fresh it is. Each list is different. */
export function list(ttlMs: unknown, more: object = {}): object {
  made += 1;
  return { resultType: "complete", tools: [], serial: made, ttlMs, cacheScope: "private", ...more };
}
