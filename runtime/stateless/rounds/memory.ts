/** A question that a handler has asked by `context.request`. */
export interface Asked {
  /** Names it within the request of the client. */
  readonly key: string;
  readonly method: string;
  /** Of its parameters. */
  readonly digest: string;
  /** In an array of its own, so that there is one or none. */
  readonly answer?: readonly [unknown];
}

/** What has to be known of the rounds of a request when the client comes back with answers. */
export interface Memory {
  readonly id: string;
  /** Counts from 1. */
  readonly round: number;
  /** In milliseconds since 1970. */
  readonly expires: number;
  /** In the order in which they were asked. */
  readonly asked: readonly Asked[];
  /** How many questions have got their names here. */
  readonly named: number;
  /** What came of `context.once`, by key; an empty array for undefined. */
  readonly done: Readonly<Record<string, readonly unknown[]>>;
  /** What was asked by results, if anything. */
  readonly given?: Given | undefined;
}

/** What the handler asked by its result, and wanted to get back. */
export interface Given {
  /** Methods by name; absent when it did not ask so in this request. */
  readonly methods?: Readonly<Record<string, string>> | undefined;
  /** What it found as answers in this round, to be found again in the next. */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly state?: unknown;
  readonly requestState?: string | undefined;
}
