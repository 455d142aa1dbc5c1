import { isMembers, type Members, messagesIn, member } from "../tape/json-value.js";
import { messageOf } from "../doctor/conversation.js";

/** Values of the server and of this run that a case needs. */
export interface CaseContext {
  /** Method of a request that every server answers: `ping`, or discovery. */
  readonly method: string;
  /** Parameters that each request has to have. */
  readonly params: Members;
  /** Number from 0 to 1, the same in each run with the same seed. */
  random(): number;
}

/** Responses to a case. Over HTTP, a refusal is a response without a message. */
export interface CaseResponse {
  readonly message: Members | undefined;
  readonly status: number | undefined;
}

/** Attack on a server, and what must be true afterwards, besides that the server is alive. */
export interface TortureCase {
  /** Id, which is stable. */
  readonly id: string;
  readonly sentence: string;
  readonly transport: "stdio" | "http" | "both";
  /** Pieces that are written one after another; over HTTP, each is the body of a request. */
  pieces(context: CaseContext): readonly (string | Uint8Array)[];
  /** Header fields over HTTP. */
  readonly headers?: Readonly<Record<string, string>>;
  /** HTTP method. Default: POST. */
  readonly httpMethod?: string;
  /** Returns the reason why the responses are incorrect; undefined if they are correct. */
  judge?(responses: readonly CaseResponse[]): string | undefined;
  /** Maximum growth of the memory of the process, in MiB (Linux only). */
  readonly memory?: number;
}

/** Attacked server, opened for one case. */
export interface Victim {
  readonly context: Omit<CaseContext, "random">;
  /** Writes the pieces of a case, then a request that tests whether the server is alive, and returns the responses. */
  attack(
    pieces: readonly (string | Uint8Array)[],
    one: TortureCase,
  ): Promise<{ readonly responses: readonly CaseResponse[]; readonly isAlive: boolean }>;
  /** Memory of the process in MiB; undefined if it cannot be read. */
  memory(): number | undefined;
  /** Description of the end of the process; undefined while it runs. */
  ended(): string | undefined;
  close(): Promise<void>;
}

/** Id of the requests of a case. */
export const ID = "torture";

/** One line with a message. */
export function line(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

/** A request that every server answers, with members for `_meta`. */
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

/** Passes if no tool was called with success. */
export function failed(responses: readonly CaseResponse[]): string | undefined {
  const succeeded = resultsIn(responses).some(({ result }) => member(result, "isError") !== true);
  return succeeded ? "a call that must fail has succeeded" : undefined;
}

/** Passes if no request was accepted by its HTTP status. */
export function notAccepted(responses: readonly CaseResponse[]): string | undefined {
  const isAccepted = responses.some(({ status = 0 }) => status >= 200 && status < 300);
  return isAccepted ? "it was accepted" : undefined;
}

/** Passes if no request of the case has succeeded. */
export function refused(responses: readonly CaseResponse[]): string | undefined {
  const [first] = resultsIn(responses);
  return first && `it was accepted: ${JSON.stringify(first).slice(0, 120)}`;
}

/** Passes if nothing was sent. */
export function silent(responses: readonly CaseResponse[]): string | undefined {
  const first = responses.find(({ message }) => message !== undefined);
  return first && `there was a response: ${JSON.stringify(first.message).slice(0, 120)}`;
}

/** Passes if the number of results is `count`. */
export function results(count: number): (all: readonly CaseResponse[]) => string | undefined {
  return (all) => {
    const { length } = resultsIn(all);
    return length === count ? undefined : `there were ${length} results instead of ${count}`;
  };
}

/** Passes if the number of responses is `count`, whatever they are. */
export function responseCount(count: number): (all: readonly CaseResponse[]) => string | undefined {
  return (all) =>
    all.length === count ? undefined : `there were ${all.length} responses instead of ${count}`;
}

/** Passes if all errors have one of these codes, and there is no result. */
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

/** Responses among messages: those without a method, batches taken apart. */
export function responsesIn(value: unknown, status?: number): readonly CaseResponse[] {
  return messagesIn(value)
    .filter((one): one is Members => isMembers(one) && !("method" in one))
    .map((message) => ({ message, status }));
}
