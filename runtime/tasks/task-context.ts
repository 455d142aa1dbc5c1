import { undeclared } from "../engine/index.js";
import { Once } from "../engine/once/index.js";
import { missingCapability, missingForParams } from "../wire/index.js";
import type {
  CustomMessage,
  HandlerContext,
  RequestOptions,
  SendNotification,
  SendRequest,
  Session,
} from "../api/index.js";
import { quiet } from "../ground/index.js";
import type { TaskWork } from "./calls/task-work.js";

/** A type with all properties required, so that code that copies an object omits none of them. */
type Whole<Type> = { -readonly [Name in keyof Required<Type>]: Type[Name] };

/** A call that may become a task, or is one from the beginning. */
export interface DetachableCall {
  /** The handler's context. Once the call is a task, everything that the handler sends belongs to the task. */
  readonly context: Whole<HandlerContext>;
  /** True if the call is not waiting for an answer from the client. */
  readonly isQuiet: boolean;
  /**
   * Resolves when the call's last open question is answered. Never resolves if the client answers with another call.
   */
  quiet(): Promise<void>;
  /** Continues the call as a task, once the task has been created. Questions wait until then. */
  become(starting: Promise<TaskWork>): Promise<void>;
  abort(reason: Error): void;
}

type Send = (name: string | CustomMessage, ...rest: unknown[]) => Promise<unknown>;

/**
 * Creates a call that may become a task.
 *
 * @param isTask - true if the call is a task from the beginning, so that it is not aborted when its request ends
 */
export function detachable(call: HandlerContext, isTask: boolean): DetachableCall {
  const { method, id, session, auth, locals, header, meta, params, requireScopes } = call;
  const ending = new AbortController();
  const once = new Once();
  let work: TaskWork | undefined;
  /** Pending while the call is being turned into a task. */
  let becoming: Promise<unknown> | undefined;
  let asking = 0;
  let settled: (() => void) | undefined;

  const end = (): void => ending.abort(call.signal.reason);
  if (!isTask) {
    if (call.signal.aborted) end();
    call.signal.addEventListener("abort", end);
  }

  const request = async (
    name: string | CustomMessage,
    sent?: unknown,
    options?: RequestOptions,
  ): Promise<unknown> => {
    await becoming?.catch(() => undefined);
    if (work) {
      if (typeof name === "string") assertCanBeAsked(session, name, sent);
      return work.request(name, sent, options);
    }
    asking += 1;
    try {
      return await (call.request as Send)(name, sent, options);
    } finally {
      asking -= 1;
      if (asking === 0) settled?.();
    }
  };
  const notify: Send = (...sent) =>
    work ? quiet(work.notify(...(sent as [string]))) : (call.notify as Send)(...sent);

  const context: Whole<HandlerContext> = {
    method,
    id,
    session,
    call: call.call,
    auth,
    locals,
    header,
    meta,
    params,
    requireScopes,
    answers: call.answers,
    state: call.state,
    signal: ending.signal,
    get task() {
      return work?.view;
    },
    request: ((...sent: Parameters<typeof request>) =>
      quiet(request(...sent))) as SendRequest<object>,
    notify: notify as SendNotification<object>,
    progress: (...report) => (work ?? call).progress(...report),
    once: (key, action) => once.do(key, () => (work ? action() : call.once(key, action))),
    releaseStream: (retry) => {
      if (!work) call.releaseStream(retry);
    },
  };

  return {
    context,
    get isQuiet() {
      return asking === 0;
    },
    quiet: () => new Promise((resolve) => (settled = resolve)),
    async become(starting) {
      becoming = starting;
      try {
        work = await starting;
        call.signal.removeEventListener("abort", end);
      } finally {
        becoming = undefined;
      }
    },
    abort: (reason) => ending.abort(reason),
  };
}

/** Throws if the peer does not support the request. It would otherwise fail only when the result is fetched. */
function assertCanBeAsked({ revision, peer }: Session, method: string, params: unknown): void {
  const row = revision.methods.get(method);
  if (row === undefined || row.from === "both") return;
  const declared = { client: peer.capabilities, server: peer.capabilities };
  const missing =
    missingCapability(row, row.from, declared) ?? missingForParams(row, params, row.from, declared);
  if (missing !== undefined) throw undeclared(method, missing);
}
