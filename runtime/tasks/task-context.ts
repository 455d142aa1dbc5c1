import { ProgressSender, rowOf } from "../engine/index.js";
import type {
  CustomMessage,
  HandlerContext,
  RequestOptions,
  SendNotification,
  SendRequest,
  Session,
  TaskView,
} from "../api/index.js";
import type { Auth } from "../wire/index.js";
import { quiet } from "../ground/index.js";
import { assertCanBeAsked } from "./assert-can-be-asked.js";
import type { RunningTask } from "./running-task.js";

/** The context of a handler that continues after its request was answered with a task. */
export class TaskContext implements HandlerContext {
  readonly method: string;
  readonly id: HandlerContext["id"];
  readonly session: Session;
  readonly auth: Auth | undefined;
  readonly header: (name: string) => string | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
  readonly params: unknown;
  readonly progress: HandlerContext["progress"];
  readonly request: SendRequest<object>;
  readonly notify: SendNotification<object>;
  readonly requireScopes: HandlerContext["requireScopes"];
  readonly once: HandlerContext["once"];
  readonly answers: HandlerContext["answers"];
  readonly state: unknown;
  readonly task: TaskView;
  readonly #progress: ProgressSender;

  constructor(request: HandlerContext, task: RunningTask) {
    const { method, id, session, auth, header, meta, once, answers, state } = request;
    this.method = method;
    this.id = id;
    this.session = session;
    this.auth = auth;
    this.params = request.params;
    this.header = header;
    this.meta = meta;
    this.requireScopes = request.requireScopes;
    this.once = once;
    this.answers = answers;
    this.state = state;
    this.task = { id: task.id, status: (message) => task.describe(message) };
    this.signal = task.signal;
    const row = rowOf(session.revision, "progress");
    this.#progress = new ProgressSender(meta, session.revision, (news) => {
      if (row) void quiet(task.tell(row.method, news, session));
    });
    this.progress = this.#progress.report;
    const ask = async (
      name: string | CustomMessage,
      params?: unknown,
      options?: RequestOptions,
    ): Promise<unknown> => {
      if (typeof name === "string") assertCanBeAsked(session, name, params);
      return task.ask(name, params, options);
    };
    this.request = ((...rest: Parameters<typeof ask>) =>
      quiet(ask(...rest))) as SendRequest<object>;
    const tell = async (name: string | CustomMessage, params?: unknown): Promise<unknown> => {
      if (name === row?.method) this.#progress.noteOwn(params);
      return task.tell(name, params, session);
    };
    this.notify = ((name: string | CustomMessage, params?: unknown) =>
      quiet(tell(name, params))) as unknown as SendNotification<object>;
  }

  /** The request's own stream is gone already. */
  readonly releaseStream = (): void => {};

  /** The handler has come back: what was held back of its news goes out, and nothing after it. */
  finish(): void {
    this.#progress.finish();
  }
}
