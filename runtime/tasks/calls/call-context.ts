import { Once } from "../../engine/index.js";
import type {
  CustomMessage,
  HandlerContext,
  RequestOptions,
  SendNotification,
  SendRequest,
  Session,
  TaskView,
} from "../../api/index.js";
import { quiet } from "../../ground/index.js";
import type { Auth } from "../../wire/index.js";
import { assertCanBeAsked } from "../assert-can-be-asked.js";
import type { TaskWork } from "./task-work.js";

type Send = (name: string | CustomMessage, ...rest: unknown[]) => Promise<unknown>;

/** Context of a call that may become a task: from then on its news and questions are those of the task. */
export class CallContext implements HandlerContext {
  readonly method: string;
  readonly id: HandlerContext["id"];
  readonly session: Session;
  readonly auth: Auth | undefined;
  readonly header: HandlerContext["header"];
  readonly meta: HandlerContext["meta"];
  readonly params: unknown;
  readonly requireScopes: HandlerContext["requireScopes"];
  readonly request: SendRequest<object>;
  readonly notify: SendNotification<object>;
  readonly progress: HandlerContext["progress"];
  readonly once: HandlerContext["once"];
  answers: HandlerContext["answers"];
  state: unknown;
  readonly #call: HandlerContext;
  readonly #ending = new AbortController();
  readonly #once = new Once();
  readonly #stopFollowing: () => void;
  /** Questions of the call itself that are open. */
  #asking = 0;
  #settled: (() => void) | undefined;
  /** The work of the task that the call becomes, while that is not decided. */
  #becoming: Promise<TaskWork | undefined> | undefined;
  #work: TaskWork | undefined;

  constructor(call: HandlerContext) {
    const { method, id, session, auth, header, meta, params, requireScopes } = call;
    this.#call = call;
    this.method = method;
    this.id = id;
    this.session = session;
    this.auth = auth;
    this.header = header;
    this.meta = meta;
    this.params = params;
    this.requireScopes = requireScopes;
    this.answers = call.answers;
    this.state = call.state;
    const end = (): void => this.#ending.abort(call.signal.reason);
    if (call.signal.aborted) end();
    call.signal.addEventListener("abort", end);
    this.#stopFollowing = () => call.signal.removeEventListener("abort", end);
    this.request = ((...sent: Parameters<Send>) => quiet(this.#ask(...sent))) as never;
    this.notify = ((...sent: Parameters<Send>) =>
      this.#work ? Promise.resolve() : (call.notify as Send)(...sent)) as never;
    this.progress = (...news) => {
      const [, , message] = news;
      if (!this.#work) call.progress(...news);
      else if (message !== undefined) this.#work.status(message);
    };
    this.once = (key, work) =>
      this.#once.do(key, () => (this.#work ? work() : call.once(key, work)));
  }

  /** Aborts when nobody wants a result any more. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get task(): TaskView | undefined {
    return this.#work?.view;
  }

  readonly releaseStream = (retry?: number): void => {
    if (!this.#work) this.#call.releaseStream(retry);
  };

  /** Resolves when no question of the call is open: never, where the client answers with another call. */
  async quiet(): Promise<void> {
    while (this.#asking > 0) await new Promise<void>((resolve) => (this.#settled = resolve));
  }

  get isQuiet(): boolean {
    return this.#asking === 0;
  }

  /** Lets the call go on as a task, as soon as that is there. Questions wait for that. */
  async become(making: Promise<TaskWork | undefined>): Promise<TaskWork | undefined> {
    this.#becoming = making;
    try {
      this.#work = await making;
      if (this.#work) this.#stopFollowing();
      return this.#work;
    } finally {
      this.#becoming = undefined;
    }
  }

  /** Ends the handler: nobody wants its result any more. */
  abort(reason: Error): void {
    this.#ending.abort(reason);
  }

  async #ask(
    name: string | CustomMessage,
    params?: unknown,
    options?: RequestOptions,
  ): Promise<unknown> {
    await this.#becoming?.catch(() => undefined);
    if (this.#work) {
      const method = typeof name === "string" ? name : name.row.method;
      assertCanBeAsked(this.session, method, params);
      return this.#work.ask(method, params, options);
    }
    this.#asking += 1;
    try {
      return await (this.#call.request as Send)(name, params, options);
    } finally {
      this.#asking -= 1;
      if (this.#asking === 0) this.#settled?.();
    }
  }
}
