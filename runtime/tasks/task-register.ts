import type { Feature, HandlerContext, Session } from "../api/index.js";
import type { TaskRule } from "../features/index.js";
import { RequestCancelledError } from "../wire/index.js";
import type { TaskWork, WorkHost } from "./calls/task-work.js";
import type { DetachableCall } from "./task-context.js";
import { type ChangeTask, TaskRecords, type TaskRecordsOptions } from "./task-records.js";
import type { StoredTask } from "./task-store.js";

export interface TaskTools {
  taskRule(name: unknown, context: HandlerContext): TaskRule | undefined;
}

export function isTaskTools(feature: Feature): feature is Feature & TaskTools {
  return "taskRule" in feature;
}

export type Asker = Pick<HandlerContext, "auth" | "session">;

/** The differences between the protocol's tasks and the extension's tasks. */
export interface TaskKind<Work> {
  ownerOf(asker: Asker): string;
  notify(stored: StoredTask, before: StoredTask, session: Session): void;
  work(stored: StoredTask, host: WorkHost, context: HandlerContext): Work;
  report(error: Error): void;
}

/** A client's or server's tasks, each accessible only to its owner. */
export class TaskRegister<Work extends TaskWork> {
  readonly records: TaskRecords;
  readonly running: Map<string, Work> = new Map();
  readonly #kind: TaskKind<Work>;

  constructor(options: TaskRecordsOptions, kind: TaskKind<Work>) {
    this.#kind = kind;
    this.records = new TaskRecords(options, kind.report);
  }

  async start(
    ttl: number | undefined,
    { context, abort }: DetachableCall,
  ): Promise<readonly [StoredTask, Work]> {
    const { records } = this;
    const stored = await records.create(this.#kind.ownerOf(context), ttl);
    const { taskId } = stored.task;
    const host: WorkHost = {
      lease: records.lease,
      change: (change) => records.change(taskId, change, this.#notifier(context)),
      abort,
      ended: () => {
        this.running.delete(taskId);
        records.release(stored);
      },
      expired: async () => {
        try {
          await records.store.delete(taskId);
        } catch (error) {
          this.#kind.report(error as Error);
        }
      },
    };
    const work = this.#kind.work(stored, host, context);
    this.running.set(taskId, work);
    return [stored, work];
  }

  find(taskId: string, asker: Asker): Promise<StoredTask> {
    return this.records.find(taskId, this.#kind.ownerOf(asker), this.#notifier(asker));
  }

  /**
   * Changes a task on its owner's behalf.
   *
   * @returns undefined if the task has ended
   */
  async change(taskId: string, asker: Asker, change: ChangeTask): Promise<StoredTask | undefined> {
    await this.find(taskId, asker);
    return this.records.changeNow(taskId, change, this.#notifier(asker));
  }

  /**
   * Cancels a task on its owner's behalf.
   *
   * @returns undefined if the task had already ended
   */
  async cancel(taskId: string, asker: Asker): Promise<StoredTask | undefined> {
    const reason = new RequestCancelledError(taskId);
    const cancelled = await this.change(taskId, asker, () => ({
      task: { status: "cancelled", statusMessage: undefined },
      questions: {},
      answers: {},
    }));
    this.running.get(taskId)?.abandon(reason);
    return cancelled;
  }

  close(): void {
    for (const work of this.running.values()) work.abandon(new Error("The tasks were closed"));
  }

  #notifier({ session }: Asker): (stored: StoredTask, before: StoredTask) => void {
    return (stored, before) => this.#kind.notify(stored, before, session);
  }
}
