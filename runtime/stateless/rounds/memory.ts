/** A question that a handler has asked by `context.request`. */
export interface Question {
  /** Names it within the request of the client. */
  readonly key: string;
  readonly method: string;
  /** Digest of the parameters. */
  readonly digest: string;
  /** Answer in an array of its own; absent while there is none. */
  readonly answer?: readonly [unknown];
}

/** State of a request's rounds that is needed when the client returns with answers. */
export interface Memory {
  readonly id: string;
  /** Counts from 1. */
  readonly round: number;
  /** Time of expiry, in milliseconds since 1970. */
  readonly expires: number;
  /** Questions in the order in which they were asked. */
  readonly asked: readonly Question[];
  /** Number of questions that have been named here. */
  readonly named: number;
  /** Outcomes of `context.once` by key; an empty array stands for undefined. */
  readonly done: Readonly<Record<string, readonly unknown[]>>;
  /** Questions of the handler's result, if any. */
  readonly given?: ResultQuestions | undefined;
}

/** Questions that the handler asked by its result, and the state that it wanted back. */
export interface ResultQuestions {
  /** Methods by name; absent when it did not ask so in this request. */
  readonly methods?: Readonly<Record<string, string>> | undefined;
  /** Answers that it found in this round, to be found again in the next. */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly state?: unknown;
  readonly requestState?: string | undefined;
}
