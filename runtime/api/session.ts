import type { RelatedCall } from "./handlers.js";
import type { InputRequest } from "./input-required.js";
import type { RequestOptions } from "./options.js";
import type { Revision } from "../wire/index.js";

/** Self-description of one side of a connection. */
export interface PeerDescription {
  /** Name and version, for people: it may say what it likes. Undefined when it never introduced itself. */
  readonly info: unknown;
  readonly capabilities: Record<string, unknown>;
  /** Only servers have some. */
  readonly instructions?: string | undefined;
}

/**
 * One connection under the revision that was agreed on: the same object as long as it lasts, so that state can be
 * kept with it in a `WeakMap`.
 */
export interface Session {
  /** The transport's name for it; undefined where sessions have none. */
  readonly id: string | undefined;
  readonly revision: Revision;
  readonly peer: PeerDescription;
  /**
   * Resolves when the connection is over, with the error that ended it, if one did. The session of a stateless
   * request is over with its answer.
   */
  readonly closed: Promise<Error | undefined>;
  /** Sends a request that belongs to no message under way; see `ServerBase.request` for what it throws. */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /**
   * Answers questions of a server that came by other ways than a request or the result of one, by the handlers of this
   * client; servers have no such thing.
   *
   * @param questions - by their keys, which the answers get
   * @param call - request of this side that the questions belong to
   * @throws InputRefusedError when one of them is refused, OverloadError when there are too many
   */
  answer?(
    questions: Readonly<Record<string, InputRequest>>,
    call: RelatedCall,
    signal?: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Sends a notification that belongs to no message under way.
   *
   * @param once - name of a broadcast that other instances send, too, where they share the session
   */
  notify(method: string, params?: unknown, once?: string): Promise<void>;
}
