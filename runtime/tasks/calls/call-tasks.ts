import type {
  AnyMiddleware,
  Feature,
  FeatureHost,
  Filter,
  HandlerContext,
  Listening,
} from "../../api/index.js";
import { declaredSettings, extensionRequired } from "../../rules/index.js";
import { isObject, quote } from "../../wire/index.js";
import { fromStore, type TaskChange, type TaskRecordsOptions } from "../task-records.js";
import { type Asker, isTaskTools, TaskRegister, type TaskTools } from "../task-register.js";
import { ownerByAuth, statusWith, type StoredTask, without } from "../task-store.js";
import { type CallHost, runCall } from "./call-run.js";
import {
  createdTask,
  detailedTask,
  TASK,
  TASK_CHANGED,
  TASK_IDS,
  type TaskExtension,
} from "./task-extension.js";
import { TaskWork } from "./task-work.js";

const MAX_LISTENED = 1000;

/** The options for the extension's tasks. Times are in milliseconds. */
export interface CallTasksOptions extends TaskRecordsOptions {
  /** The time after which a call of a tool with `task: "optional"` becomes a task. Default: 1000. */
  readonly after?: number | undefined;
}

interface TaskParams {
  readonly taskId: string;
}

interface UpdateParams extends TaskParams {
  readonly inputResponses: Readonly<Record<string, unknown>>;
}

/**
 * Runs calls as tasks for clients that declare the tasks extension. A call is either a task from the beginning, or
 * becomes one if it takes long (extension tasks).
 */
export class CallTasks implements Feature {
  readonly handlers: Feature["handlers"] = {};
  readonly middleware: readonly AnyMiddleware[];
  readonly messages: Readonly<Record<string, (params: never, asker: Asker) => unknown>>;
  readonly #extension: TaskExtension;
  readonly #options: CallTasksOptions;
  readonly #register: TaskRegister<TaskWork>;
  #host!: FeatureHost;
  #tools: TaskTools | undefined;

  constructor(extension: TaskExtension, options: CallTasksOptions = {}) {
    this.#extension = extension;
    this.#options = options;
    this.#register = new TaskRegister(options, {
      ownerOf: ownerByAuth,
      notify: (stored) => this.#host.broadcast(TASK_CHANGED, detailedTask(stored)),
      work: (stored, host) => new TaskWork(stored, host),
      report: this.#report,
    });
    this.middleware = [this.#around];
    this.messages = {
      "tasks/get": async ({ taskId }: TaskParams, asker) =>
        detailedTask(await this.#register.find(taskId, asker)),
      "tasks/update": (params: UpdateParams, asker) => this.#update(params, asker),
      "tasks/cancel": async ({ taskId }: TaskParams, asker) => {
        await this.#register.cancel(taskId, asker);
        return {};
      },
    };
  }

  attach(host: FeatureHost): void {
    this.#host = host;
    this.#tools = host.features.find(isTaskTools);
  }

  /**
   * Limits a subscription to those of the client's tasks whose changes this process receives. The client polls all
   * others.
   */
  async listen(filter: Filter, context: HandlerContext): Promise<Listening | undefined> {
    const wished = filter[TASK_IDS] as readonly string[] | undefined;
    if (wished === undefined) return undefined;
    const { records, running } = this.#register;
    const found = await Promise.all(
      wished.slice(0, MAX_LISTENED).map(async (taskId) => {
        const isKnown = !records.store.isShared || running.has(taskId);
        const stored = isKnown ? await fromStore(() => records.store.get(taskId)) : undefined;
        return stored?.owner === ownerByAuth(context) ? [taskId] : [];
      }),
    );
    const { [TASK_IDS]: _, ...others } = filter;
    const own = found.flat();
    return { filter: own.length > 0 ? { ...others, [TASK_IDS]: own } : others };
  }

  close(): void {
    this.#register.close();
  }

  readonly #around: AnyMiddleware = (call, next) => {
    const { kind, method, params, context } = call;
    const row = context.session.revision.methods.get(method);
    const { id } = this.#extension;
    if (kind !== "request" || row?.inLieu?.[TASK]?.extension !== id || !isObject(params))
      return next();
    const name = params["name"];
    const { support = "forbidden", ttl } = this.#tools?.taskRule(name, context) ?? {};
    if (support === "forbidden") return next();
    if (declaredSettings(context.session, id) === undefined) {
      if (support === "optional") return next();
      const what = `The tool ${quote(String(name))}`;
      throw extensionRequired(what, id, context.session.revision);
    }
    const host: CallHost = {
      start: (...given) => this.#register.start(...given),
      created: createdTask,
      checksContent: this.#host.checksContent,
      report: this.#report,
    };
    const after = support === "required" ? 0 : (this.#options.after ?? 1000);
    return runCall({ call, next, row, ttl }, host, after);
  };

  async #update({ taskId, inputResponses }: UpdateParams, asker: Asker): Promise<object> {
    const take = ({ questions = {}, answers }: StoredTask): TaskChange | undefined => {
      const given = Object.entries(inputResponses).filter(
        ([key, answer]) => Object.hasOwn(questions, key) && this.#answers(questions[key]!, answer),
      );
      if (given.length === 0) return undefined;
      const left = without(
        questions,
        given.map(([key]) => key),
      );
      return {
        questions: left,
        answers: { ...answers, ...Object.fromEntries(given) },
        task: { status: statusWith(left) },
      };
    };
    const stored = await this.#register.change(taskId, asker, take);
    if (stored) this.#register.running.get(taskId)?.take(stored);
    return {};
  }

  /** True if the value is a valid answer to the question in at least one of the server's revisions. */
  #answers({ method }: { readonly method: string }, answer: unknown): boolean {
    return this.#host.revisions.some(({ methods }) => {
      const row = methods.get(method);
      return row?.channel === "embedded" && row.result?.(answer) === true;
    });
  }

  readonly #report = (error: Error): void => this.#host.report(error);
}
