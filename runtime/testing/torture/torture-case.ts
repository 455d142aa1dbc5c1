import { isMembers, type Members, messagesIn, member } from "../tape/json-value.js";
import { messageOf } from "../doctor/outgoing.js";

/** The facts about the server and this run that a case needs. */
export interface CaseContext {
  /** The method of a request that the server answers: `ping` or `server/discover`. */
  readonly method: string;
  /** The parameters that every request must have. */
  readonly params: Members;
  /** Returns a random number from 0 to 1. The same seed yields the same numbers. */
  random(): number;
}

/** A response to a case. Over HTTP, a rejection may be a status without a message. */
export interface CaseResponse {
  readonly message: Members | undefined;
  readonly status: number | undefined;
}

/** An input for a server, and a check of the responses. In every case, the server must still respond afterwards. */
export interface TortureCase {
  /** Stable id. */
  readonly id: string;
  readonly sentence: string;
  readonly transport: "stdio" | "http" | "both";
  /** Returns the pieces to write, in order. Over HTTP, each piece is the body of a request. */
  pieces(context: CaseContext): readonly (string | Uint8Array)[];
  /** Additional header fields, for HTTP. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The HTTP method. Default: POST. */
  readonly httpMethod?: string;
  /** Returns the reason why the responses are incorrect, or undefined if they are correct. */
  judge?(responses: readonly CaseResponse[]): string | undefined;
  /** The maximum growth of the process's memory, in MiB (Linux only). */
  readonly memory?: number;
}

export interface Victim {
  readonly context: Omit<CaseContext, "random">;
  /** Writes a case's pieces, and then a request that tests whether the server still responds. */
  attack(
    pieces: readonly (string | Uint8Array)[],
    one: TortureCase,
  ): Promise<{ readonly responses: readonly CaseResponse[]; readonly isAlive: boolean }>;
  memory(): number | undefined;
  ended(): string | undefined;
  close(): Promise<void>;
}

/** The id of the requests in a case. */
export const ID = "torture";

export function line(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

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

export function failed(responses: readonly CaseResponse[]): string | undefined {
  const succeeded = resultsIn(responses).some(({ result }) => member(result, "isError") !== true);
  return succeeded ? "a call that must fail has succeeded" : undefined;
}

export function notAccepted(responses: readonly CaseResponse[]): string | undefined {
  const isAccepted = responses.some(({ status = 0 }) => status >= 200 && status < 300);
  return isAccepted ? "it was accepted" : undefined;
}

export function refused(responses: readonly CaseResponse[]): string | undefined {
  const [first] = resultsIn(responses);
  return first && `it was accepted: ${JSON.stringify(first).slice(0, 120)}`;
}

export function silent(responses: readonly CaseResponse[]): string | undefined {
  const first = responses.find(({ message }) => message !== undefined);
  return first && `there was a response: ${JSON.stringify(first.message).slice(0, 120)}`;
}

export function results(count: number): (all: readonly CaseResponse[]) => string | undefined {
  return (all) => {
    const { length } = resultsIn(all);
    return length === count ? undefined : `there were ${length} results instead of ${count}`;
  };
}

export function responseCount(count: number): (all: readonly CaseResponse[]) => string | undefined {
  return (all) =>
    all.length === count ? undefined : `there were ${all.length} responses instead of ${count}`;
}

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

export function responsesIn(value: unknown, status?: number): readonly CaseResponse[] {
  return messagesIn(value)
    .filter((one): one is Members => isMembers(one) && !("method" in one))
    .map((message) => ({ message, status }));
}
