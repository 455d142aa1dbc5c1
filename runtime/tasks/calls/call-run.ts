import {
  type AnyCall,
  type FeatureHost,
  type InputRequest,
  isInputRequired,
  type Next,
} from "../../api/index.js";
import {
  acceptsResult,
  errorToSend,
  internalError,
  invalidResult,
  resultIssues,
} from "../../engine/index.js";
import {
  describeThrown,
  HandlerError,
  inLieuOf,
  isObject,
  type Method,
  RpcError,
} from "../../wire/index.js";
import { isWithin } from "../../ground/index.js";
import { type DetachableCall, detachable } from "../task-context.js";
import type { StoredTask } from "../task-store.js";
import type { TaskWork } from "./task-work.js";

export interface CallHost extends Pick<FeatureHost, "checksContent" | "report"> {
  start(ttl: number | undefined, call: DetachableCall): Promise<readonly [StoredTask, TaskWork]>;
  created(stored: StoredTask): object;
}

export interface TaskCall {
  readonly call: AnyCall;
  readonly next: Next;
  readonly row: Method;
  /** The time for which a task is kept, in milliseconds. */
  readonly ttl: number | undefined;
}

/**
 * Returns the call's result, or the description of the task that the call has become.
 *
 * @param after - the time after which the call becomes a task, in milliseconds; 0 to begin as a task
 */
export async function runCall(given: TaskCall, tasks: CallHost, after: number): Promise<unknown> {
  const { call, ttl } = given;
  const detached = detachable(call.context, after === 0);
  const { context } = detached;
  const handle = (): Promise<unknown> => given.next({ context });
  const become = async (): Promise<readonly [StoredTask, TaskWork]> => {
    const starting = tasks.start(ttl, detached);
    await detached.become(starting.then(([, work]) => work));
    return starting;
  };
  /** Ends the task with the handler's outcome. Never rejects. */
  const conclude = async (work: TaskWork, handling: Promise<unknown>): Promise<void> => {
    try {
      let result = await handling;
      while (isInputRequired(result) && !work.isOver) {
        context.answers = await answersFor(result as Asking, work);
        context.state = result.state;
        result = await handle();
      }
      await finish(work, given, result, tasks);
    } catch (thrown) {
      await fail(work, call, thrown, tasks.report);
    }
  };

  if (after === 0) {
    const [stored, work] = await become();
    // The handler must not send messages before the response, so it starts in a later turn.
    setTimeout(() => {
      if (!work.isOver) void conclude(work, handle());
    }, 0);
    return tasks.created(stored);
  }
  const result = handle();
  if (await isWithin(after, result)) return result;
  while (!detached.isQuiet) {
    const first = await Promise.race([result.then(() => "result"), detached.quiet()]);
    if (first === "result") return result;
  }
  let started: readonly [StoredTask, TaskWork];
  try {
    started = await become();
  } catch {
    // There is no room for another task, so the client waits.
    return result;
  }
  void conclude(started[1], result);
  return tasks.created(started[0]);
}

interface Asking {
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
}

async function answersFor(
  { inputRequests = {} }: Asking,
  work: TaskWork,
): Promise<Readonly<Record<string, unknown>>> {
  const answers = Object.entries(inputRequests).map(
    async ([key, { method, params }]) =>
      [key, await work.request(method, params, { key })] as const,
  );
  return Object.fromEntries(await Promise.all(answers));
}

/** Ends a task with a result, which is checked and converted to plain JSON as if it were sent now. */
async function finish(
  work: TaskWork,
  { row, call }: TaskCall,
  result: unknown,
  { checksContent, report }: CallHost,
): Promise<void> {
  if (work.isOver) return;
  const { traits } = call.context.session.revision;
  const whole =
    traits.resultType && isObject(result) ? { resultType: "complete", ...result } : result;
  const isRight = inLieuOf(row, whole) === undefined && !isInputRequired(whole);
  if (!isRight || !acceptsResult(row, undefined, whole, checksContent)) {
    const { task: _, ...params } = isObject(call.params) ? call.params : {};
    report(invalidResult(row, params, resultIssues(row, params, whole)));
    return failWith(work, internalError());
  }
  const plain = JSON.parse(JSON.stringify(whole)) as Readonly<Record<string, unknown>>;
  await (traits.tasks && plain["isError"] === true
    ? work.finish("failed", { result: plain }, "The result is an error")
    : work.finish("completed", { result: plain }));
}

async function fail(
  work: TaskWork,
  { method, params, context }: AnyCall,
  thrown: unknown,
  report: (error: Error) => void,
): Promise<void> {
  if (work.isOver) return;
  if (thrown instanceof RpcError) {
    const { revision } = context.session;
    return failWith(work, errorToSend(thrown, revision, { method, params }, report));
  }
  report(new HandlerError(method, `failed: ${describeThrown(thrown)}`, thrown));
  return failWith(work, internalError());
}

function failWith(work: TaskWork, error: RpcError): Promise<void> {
  return work.finish("failed", { error: error.toJSON() }, error.message);
}
