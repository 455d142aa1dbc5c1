import { isMembers, type Members, messagesIn, member } from "../tape/json-value.js";
import { messageOf } from "../doctor/outgoing.js";

/** Facts about the server and this run that a case needs. */
export interface CaseContext {
  /** Method of a request that the server answers: `ping` or `server/discover`. */
  readonly method: string;
  /** Parameters that every request must have. */
  readonly params: Members;
  /** Returns a random number from 0 to 1. The same seed yields the same numbers. */
  random(): number;
}

/** Response to a case. Over HTTP, a rejection may be a status without a message. */
export interface CaseResponse {
  readonly message: Members | undefined;
  readonly status: number | undefined;
}

/** Input for a server, and what its responses must be like. In any case, the server must still respond afterwards. */
export interface TortureCase {
  /** Id, which is stable. */
  readonly id: string;
  readonly sentence: string;
  readonly transport: "stdio" | "http" | "both";
  /** Returns the pieces that are written one after another; over HTTP, each is the body of a request. */
  pieces(context: CaseContext): readonly (string | Uint8Array)[];
  /** Additional header fields, for HTTP. */
  readonly headers?: Readonly<Record<string, string>>;
  /** HTTP method. Default: POST. */
  readonly httpMethod?: string;
  /** Returns the reason why the responses are incorrect; undefined if they are correct. */
  judge?(responses: readonly CaseResponse[]): string | undefined;
  /** Maximum growth of the memory of the process, in MiB (Linux only). */
  readonly memory?: number;
}

/** Server under test, opened for one case. */
export interface Victim {
  readonly context: Omit<CaseContext, "random">;
  /**
   * Writes the pieces of a case, and then a request that tests whether the server still responds. Returns the
   * responses.
   */
  attack(
    pieces: readonly (string | Uint8Array)[],
    one: TortureCase,
  ): Promise<{ readonly responses: readonly CaseResponse[]; readonly isAlive: boolean }>;
  /** Returns the memory of the process in MiB; undefined if it cannot be read. */
  memory(): number | undefined;
  /** Describes how the process has ended; returns undefined while it is running. */
  ended(): string | undefined;
  close(): Promise<void>;
}

/** Id of the requests in a case. */
export const ID = "torture";

/** Returns a message as one line. */
export function line(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

/**
 * Creates a request that the server answers.
 * @param meta - additional members for `_meta`
 */
export function request(
  { method, params }: CaseContext,
  id: unknown = ID,
  meta?: Members,
): Members {
  const more = meta && { _meta: { ...(params["_meta"] as Members | undefined), ...meta } };
  return messageOf(method, { ...params, ...more }, id);
}

function resultsIn(responses: readonly CaseResponse[]): readonly Members[] {
  return responses.flatMap(({ message }) => (message && "result" in message ? [message] : []));
}

/** Passes if no tool call has succeeded. */
export function failed(responses: readonly CaseResponse[]): string | undefined {
  const succeeded = resultsIn(responses).some(({ result }) => member(result, "isError") !== true);
  return succeeded ? "a call that must fail has succeeded" : undefined;
}

/** Passes if no HTTP status means success (2xx). */
export function notAccepted(responses: readonly CaseResponse[]): string | undefined {
  const isAccepted = responses.some(({ status = 0 }) => status >= 200 && status < 300);
  return isAccepted ? "it was accepted" : undefined;
}

/** Passes if there is no result. */
export function refused(responses: readonly CaseResponse[]): string | undefined {
  const [first] = resultsIn(responses);
  return first && `it was accepted: ${JSON.stringify(first).slice(0, 120)}`;
}

/** Passes if there is no response with a message. */
export function silent(responses: readonly CaseResponse[]): string | undefined {
  const first = responses.find(({ message }) => message !== undefined);
  return first && `there was a response: ${JSON.stringify(first.message).slice(0, 120)}`;
}

/** Creates a check that passes if there are `count` results. */
export function results(count: number): (all: readonly CaseResponse[]) => string | undefined {
  return (all) => {
    const { length } = resultsIn(all);
    return length === count ? undefined : `there were ${length} results instead of ${count}`;
  };
}

/** Creates a check that passes if there are `count` responses, regardless of their content. */
export function responseCount(count: number): (all: readonly CaseResponse[]) => string | undefined {
  return (all) =>
    all.length === count ? undefined : `there were ${all.length} responses instead of ${count}`;
}

/** Creates a check that passes if all errors have one of these codes, and there is no result. */
export function errors(
  ...codes: readonly number[]
): (all: readonly CaseResponse[]) => string | undefined {
  return (all) => {
    const wrong = all
      .flatMap(({ message }) => (message && "error" in message ? [message] : []))
      .map(({ error }) => member(error, "code"))
      .find((code) => !codes.includes(code as number));
    return (
      refused(all) ?? (wrong === undefined ? undefined : `there was the error ${String(wrong)}`)
    );
  };
}

/** Returns the responses in a message or batch: the messages without a method. */
export function responsesIn(value: unknown, status?: number): readonly CaseResponse[] {
  return messagesIn(value)
    .filter((one): one is Members => isMembers(one) && !("method" in one))
    .map((message) => ({ message, status }));
}
