import type { Auth } from "../../wire/index.js";
import type { Authenticator, Identify } from "./authentication.js";
import type { Problem } from "./problem.js";
import type { Reader } from "./unread-output.js";
import type { ByteBudget } from "./byte-budget.js";
import type { Refusals } from "./handler-counts.js";

/** Header fields by name. */
export type HeaderFields = Readonly<Record<string, string>>;

/** Properties of an HTTP request that are known before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** Path without the query: `/mcp`. */
  readonly path: string;
  /** Query without the question mark; empty when there is none. */
  readonly query: string;
  /**
   * Value of a header field by lower-case name; repeated fields are joined by commas, as HTTP
   * prescribes.
   */
  header(name: string): string | undefined;
}

/**
 * An HTTP request and its answer, however the server at hand represents them. All logic is written against this;
 * it is answered once, with {@link respond} or {@link openStream}.
 */
export interface Exchange extends RequestHead {
  /** Network address that the request came from, where it is known: that of a proxy, if there is one. */
  readonly address: string | undefined;
  /** Sender of the request, once it is known. */
  auth: Auth | undefined;
  /** Identifies the sender; undefined when nothing before the handler does. */
  readonly identify: Identify | undefined;
  /** Refuses senders who lack scopes; undefined where nobody is authenticated. */
  authenticator: Authenticator | undefined;
  /** Fields that go with whatever is answered. */
  extraHeaders: HeaderFields | undefined;
  /** Count of the refusals of the handler, while it has the exchange. */
  refusals?: Refusals | undefined;
  /** True for a request that came when the handler no longer took any. */
  isLate?: boolean | undefined;
  /** The body as a framework has parsed it; undefined when none has. */
  readonly parsedBody: unknown;
  readonly isAnswered: boolean;
  /** Client that has not taken all of a long answer, where that can be known. */
  readonly unread?: Reader | undefined;
  /** True when the client has disconnected, so that an answer reaches nobody. */
  readonly isGone: boolean;
  /**
   * True when a header field was sent more than once, where that can be known; by lower-case name.
   */
  isRepeated?(name: string): boolean;
  /** Calls back when the client goes away, and possibly when it has been answered. */
  whenGone(listener: () => void): void;
  /**
   * Reads the body, once, keeping no more than so many bytes of it.
   *
   * @param budget - of all bodies that are being read
   * @returns the text, or why there is none; never rejects
   */
  readBody(maxBytes: number, budget: ByteBudget): Promise<string | Problem>;
  respond(status: number, headers?: HeaderFields, body?: string): void;
  /** Answers with a body that comes piece by piece, status 200. */
  openStream(headers: HeaderFields): StreamSink;
}

/** The body of an answer that comes piece by piece. */
export interface StreamSink extends Reader {
  /** Calls back once, when nothing can be written any more, whoever ended it. For one listener. */
  whenClosed(listener: () => void): void;
  write(text: string): void;
  /** Resolves when the reader has caught up, or will never. */
  drained(): Promise<void>;
  /** Ends it after what was written. */
  end(): void;
}
