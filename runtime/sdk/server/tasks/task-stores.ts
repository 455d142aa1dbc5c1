import {
  isTerminal,
  type JSONRPCErrorResponse,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type Request,
  type RequestId,
  type Result,
  type Task,
} from "../../shared/index.js";
import { LONGEST_DELAY } from "../../shared/internal/index.js";

/** The requested properties of a new task. */
export interface CreateTaskOptions {
  /** The time for which the task is stored after its creation, in milliseconds, or null for no limit. */
  ttl?: number | null | undefined;
  /** The time that a client should wait between status requests, in milliseconds. */
  pollInterval?: number | undefined;
  /** Additional values for the store. */
  context?: Record<string, unknown> | undefined;
}

/** Stores a server's tasks. A task that was created in one session is unknown to other sessions. */
export interface TaskStore {
  createTask(
    options: CreateTaskOptions,
    requestId: RequestId,
    request: Request,
    sessionId?: string,
  ): Promise<Task>;
  getTask(taskId: string, sessionId?: string): Promise<Task | null>;
  /** Ends a task with its request's result. */
  storeTaskResult(
    taskId: string,
    status: "completed" | "failed",
    result: Result,
    sessionId?: string,
  ): Promise<void>;
  /**
   * Returns a task's result.
   *
   * @throws Error if the task has no result
   */
  getTaskResult(taskId: string, sessionId?: string): Promise<Result>;
  updateTaskStatus(
    taskId: string,
    status: Task["status"],
    statusMessage?: string,
    sessionId?: string,
  ): Promise<void>;
  listTasks(cursor?: string, sessionId?: string): Promise<{ tasks: Task[]; nextCursor?: string }>;
}

interface StoredTask {
  task: Task;
  readonly sessionId: string | undefined;
  result?: Result;
  timer?: ReturnType<typeof setTimeout>;
}

const DEFAULT_POLL_INTERVAL = 1000;
const PAGE_SIZE = 10;

/** Stores tasks in this process's memory. */
export class InMemoryTaskStore implements TaskStore {
  private readonly _tasks = new Map<string, StoredTask>();

  async createTask(
    { ttl = null, pollInterval = DEFAULT_POLL_INTERVAL }: CreateTaskOptions,
    _requestId: RequestId,
    _request: Request,
    sessionId?: string,
  ): Promise<Task> {
    const taskId = crypto.randomUUID();
    const createdAt = new Date().toISOString();
    const times = { createdAt, lastUpdatedAt: createdAt, ttl, pollInterval };
    const stored: StoredTask = { task: { taskId, status: "working", ...times }, sessionId };
    this._tasks.set(taskId, stored);
    this._schedule(stored);
    return { ...stored.task };
  }

  async getTask(taskId: string, sessionId?: string): Promise<Task | null> {
    const stored = this._find(taskId, sessionId);
    return stored ? { ...stored.task } : null;
  }

  /** @throws Error if the task is unknown or has ended */
  async storeTaskResult(
    taskId: string,
    status: "completed" | "failed",
    result: Result,
    sessionId?: string,
  ): Promise<void> {
    const stored = this._running(taskId, sessionId);
    stored.result = result;
    this._change(stored, { status });
  }

  async getTaskResult(taskId: string, sessionId?: string): Promise<Result> {
    const { result } = this._find(taskId, sessionId) ?? {};
    if (result === undefined) throw new Error(`The task ${taskId} has no result`);
    return result;
  }

  /** @throws Error if the task is unknown or has ended */
  async updateTaskStatus(
    taskId: string,
    status: Task["status"],
    statusMessage?: string,
    sessionId?: string,
  ): Promise<void> {
    const message = statusMessage === undefined ? {} : { statusMessage };
    this._change(this._running(taskId, sessionId), { status, ...message });
  }

  /** @throws Error if the cursor is unknown, for example because its task has expired */
  async listTasks(
    cursor?: string,
    sessionId?: string,
  ): Promise<{ tasks: Task[]; nextCursor?: string }> {
    const ids = [...this._tasks.keys()].filter((id) => this._find(id, sessionId));
    const start = cursor === undefined ? 0 : ids.indexOf(cursor) + 1;
    if (cursor !== undefined && start === 0) throw new Error(`The cursor ${cursor} is unknown`);
    const page = ids.slice(start, start + PAGE_SIZE);
    const tasks = page.map((id) => ({ ...this._tasks.get(id)!.task }));
    const isLast = start + PAGE_SIZE >= ids.length;
    return isLast ? { tasks } : { tasks, nextCursor: page.at(-1)! };
  }

  /** Removes all tasks. */
  cleanup(): void {
    for (const { timer } of this._tasks.values()) clearTimeout(timer);
    this._tasks.clear();
  }

  /** Returns all tasks, for tests. */
  getAllTasks(): Task[] {
    return [...this._tasks.values()].map(({ task }) => ({ ...task }));
  }

  private _find(taskId: string, sessionId: string | undefined): StoredTask | undefined {
    const stored = this._tasks.get(taskId);
    const isForeign = stored?.sessionId !== undefined && stored.sessionId !== sessionId;
    return isForeign ? undefined : stored;
  }

  private _running(taskId: string, sessionId: string | undefined): StoredTask {
    const stored = this._find(taskId, sessionId);
    if (stored === undefined) throw new Error(`The task ${taskId} is unknown`);
    const { status } = stored.task;
    if (isTerminal(status))
      throw new Error(`The task ${taskId} has ended: its status is ${status}`);
    return stored;
  }

  /** Changes a task. A task that has ended is kept for its full `ttl` from then on. */
  private _change(stored: StoredTask, change: Partial<Task>): void {
    stored.task = { ...stored.task, ...change, lastUpdatedAt: new Date().toISOString() };
    if (isTerminal(stored.task.status)) this._schedule(stored);
  }

  private _schedule(stored: StoredTask): void {
    const { ttl, taskId } = stored.task;
    clearTimeout(stored.timer);
    if (!ttl) return;
    const wait = (left: number): void => {
      const later = (): unknown =>
        left > LONGEST_DELAY ? wait(left - LONGEST_DELAY) : this._tasks.delete(taskId);
      const timer = setTimeout(later, Math.min(left, LONGEST_DELAY));
      (timer as { unref?: () => void }).unref?.();
      stored.timer = timer;
    };
    wait(ttl);
  }
}

/** A message that waits until the client fetches its task's result. */
export interface BaseQueuedMessage {
  type: string;
  /** Milliseconds since 1970. */
  timestamp: number;
}

interface Queued<Type extends string, Message> extends BaseQueuedMessage {
  type: Type;
  message: Message;
}

export type QueuedRequest = Queued<"request", JSONRPCRequest>;
export type QueuedNotification = Queued<"notification", JSONRPCNotification>;
export type QueuedResponse = Queued<"response", JSONRPCResultResponse>;
export type QueuedError = Queued<"error", JSONRPCErrorResponse>;

/** A queued message of any kind. */
export type QueuedMessage = QueuedRequest | QueuedNotification | QueuedResponse | QueuedError;

/** Stores message queues, one per task. */
export interface TaskMessageQueue {
  /**
   * Adds a message.
   *
   * @throws Error if the task's queue already contains `maxSize` messages
   */
  enqueue(
    taskId: string,
    message: QueuedMessage,
    sessionId?: string,
    maxSize?: number,
  ): Promise<void>;
  dequeue(taskId: string, sessionId?: string): Promise<QueuedMessage | undefined>;
  dequeueAll(taskId: string, sessionId?: string): Promise<QueuedMessage[]>;
}

/** Stores queues in this process's memory. */
export class InMemoryTaskMessageQueue implements TaskMessageQueue {
  private readonly _queues = new Map<string, QueuedMessage[]>();

  async enqueue(
    taskId: string,
    message: QueuedMessage,
    _sessionId?: string,
    maxSize: number = Infinity,
  ): Promise<void> {
    const queue = this._queues.get(taskId) ?? [];
    if (queue.length >= maxSize) throw new Error(`The queue of the task ${taskId} is full`);
    this._queues.set(taskId, [...queue, message]);
  }

  async dequeue(taskId: string): Promise<QueuedMessage | undefined> {
    return this._queues.get(taskId)?.shift();
  }

  async dequeueAll(taskId: string): Promise<QueuedMessage[]> {
    const queue = this._queues.get(taskId) ?? [];
    this._queues.delete(taskId);
    return queue;
  }
}
