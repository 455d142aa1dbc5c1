// Faults of the full server's tasks by name, in the terms of full-faults.mjs.
import { randomUUID } from "node:crypto";
import { asked, invalid, KEY, text } from "./round-faults.mjs";

const TIME = "2026-01-02T03:04:05Z";
const related = (taskId) => ({ [`${KEY}related-task`]: { taskId } });
const payloadOf = ({ shown }) => ({ ...text("hello"), _meta: related(shown.taskId) });

/** A task of a session, which ends when it is read for the third time. */
const createTask = (taskId, { ttl }, { token, send }, { progress = true, revives = false }) => {
  const shown = { taskId, createdAt: TIME, lastUpdatedAt: TIME, ttl, status: "working" };
  const waiting = [];
  let reads = 0;
  const task = {
    shown: { ...shown, pollInterval: 50 },
    end(status) {
      if (task.shown.status === "working") task.shown = { ...task.shown, status };
      for (const resolve of waiting.splice(0)) resolve();
    },
    ended: () =>
      task.shown.status === "working"
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(),
    read() {
      reads++;
      const meta = progress && { _meta: related(taskId) };
      const params = { progressToken: token, progress: 3, ...meta };
      if (reads === 1 && task.shown.status === "working")
        send({ jsonrpc: "2.0", method: "notifications/progress", params });
      if (reads === 3) task.end("completed");
      if (revives && task.shown.status === "cancelled")
        task.shown = { ...task.shown, status: "completed" };
      return task.shown;
    },
  };
  return task;
};

/** Tasks of sessions, with what replaces their parts. */
const tasking = ({ idOf = randomUUID, forbids = true, options = {}, ...change } = {}) => {
  const tasks = new Map();
  const of = ({ taskId }) => {
    const task = tasks.get(taskId);
    if (task === undefined) throw invalid("Invalid task");
    return task;
  };
  const all = () => ({ tasks: [...tasks.values()].map(({ shown }) => shown) });
  const own = {
    list: ({ cursor }) => {
      if (cursor !== undefined) throw invalid("Invalid cursor");
      return all();
    },
    result: async (params) => {
      const task = of(params);
      await task.ended();
      if (task.shown.status === "cancelled") throw { code: -32000, message: "Cancelled" };
      return payloadOf(task);
    },
    cancel: (params) => {
      const task = of(params);
      if (task.shown.status !== "working") throw invalid("The task has ended");
      task.end("cancelled");
      return task.shown;
    },
    ...change,
  };
  const capability = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
  return {
    results: {
      initialize: (found) => ({
        ...found,
        capabilities: { ...found.capabilities, tasks: capability },
      }),
      "tools/list": (found) => ({
        ...found,
        tools: found.tools.map((one) =>
          one.name === "echo"
            ? { ...one, execution: { taskSupport: "optional" }, ...options.tool }
            : one,
        ),
      }),
      "tools/call": (found, { task, name }, context) => {
        if (task === undefined || (name !== "echo" && !forbids))
          return name === "echo" && !found.isError ? { ...found, ...options.result } : found;
        if (name !== "echo") throw { code: -32601, message: "No tasks" };
        const taskId = idOf();
        tasks.set(taskId, createTask(taskId, task, context, options));
        return { task: tasks.get(taskId).shown };
      },
    },
    handlers: () => ({
      "tasks/get": (params) => of(params).read(),
      "tasks/list": (params) => own.list(params, all),
      "tasks/result": (params, context) => own.result(params, of, context),
      "tasks/cancel": (params) => own.cancel(params, of),
    }),
  };
};

const declaresTasks = ({ client }) => client.extensions?.[`${KEY}tasks`] !== undefined;

const requireTasks = (context) => {
  if (declaresTasks(context)) return;
  const data = { requiredCapabilities: { extensions: { [`${KEY}tasks`]: {} } } };
  throw { code: -32021, message: "Needs tasks", data };
};

let count = 0;
/** Tasks of the extension, with what replaces their parts. */
const extended = ({
  idOf = randomUUID,
  created,
  get,
  cancel,
  isUndeclared = false,
  /** The keys and fields of the forms that a task requires one after the other. */
  inputs = [],
  listensUndeclared = false,
  pushed = (task) => task,
} = {}) => {
  const tasks = new Map();
  const listeners = new Map();
  const guard = (handler) => (params, context) => {
    requireTasks(context);
    if (!tasks.has(params.taskId)) throw invalid("Unknown task");
    return handler(tasks.get(params.taskId), params);
  };
  const listen = ({ notifications }, context) => {
    const { id, send } = context;
    const { taskIds } = notifications;
    if (taskIds !== undefined && !listensUndeclared) requireTasks(context);
    if (taskIds !== undefined) listeners.set(id, { taskIds, send });
    const meta = { [`${KEY}subscriptionId`]: id };
    const params = { notifications, _meta: meta };
    send({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params });
  };
  const push = (task) => {
    for (const [id, { taskIds, send }] of listeners) {
      if (!taskIds.includes(task.taskId)) continue;
      const params = { ...pushed(task), _meta: { [`${KEY}subscriptionId`]: id } };
      send({ jsonrpc: "2.0", method: "notifications/tasks", params });
    }
    return task;
  };
  const input = ({ answered = 0 }) => {
    const [key, field] = inputs[answered] ?? [];
    if (key === undefined) return undefined;
    const requestedSchema = { type: "object", properties: { [field]: { type: "string" } } };
    const form = { mode: "form", message: `Your ${field}?`, requestedSchema };
    const inputRequests = { [key]: { method: "elicitation/create", params: form } };
    return { status: "input_required", inputRequests };
  };
  const result = { ...text("Nobody to ask"), resultType: "complete" };
  return {
    ...asked((_, context) => {
      if (!declaresTasks(context) && !isUndeclared) return undefined;
      const times = { createdAt: TIME, lastUpdatedAt: TIME, ttlMs: null, pollIntervalMs: 50 };
      const task = { taskId: idOf(), ...times };
      tasks.set(task.taskId, { task, reads: 0 });
      return created?.(task) ?? { resultType: "task", status: "working", ...task };
    }),
    results: {
      "server/discover": (found) => ({
        ...found,
        capabilities: { ...found.capabilities, extensions: { [`${KEY}tasks`]: {} } },
      }),
    },
    notified: ({ method, params }) => {
      if (method === "notifications/cancelled") listeners.delete(params?.requestId);
    },
    handlers: () => ({
      "tasks/get": guard((own) => {
        const isOver = ++own.reads > 2;
        const { task } = own;
        const usual = isOver ? { status: "completed", result } : { status: "working" };
        return get?.(task, isOver) ?? push({ ...task, ...(input(own) ?? usual) });
      }),
      "tasks/update": guard((own, { inputResponses }) => {
        const [key] = inputs[own.answered ?? 0] ?? [];
        if (Object.hasOwn(inputResponses, key)) own.answered = (own.answered ?? 0) + 1;
        return {};
      }),
      "subscriptions/listen": listen,
      "tasks/cancel": guard(() => cancel?.() ?? {}),
    }),
  };
};

let counted = 0;

const shape = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const structured = (content) => ({ ...text(JSON.stringify(content)), structuredContent: content });
/** Tasks of a tool with structured content. */
const structuring = (content) =>
  tasking({
    options: { tool: { outputSchema: shape }, result: structured({ text: "hello" }) },
    result: async (params, of) => {
      const task = of(params);
      await task.ended();
      if (task.shown.status === "cancelled") throw { code: -32000, message: "Cancelled" };
      return { ...payloadOf(task), ...structured(content) };
    },
  });
/** Tasks that ask for a form before they end. */
const asking = (isRelated) =>
  tasking({
    result: async (params, of, { ask, client }) => {
      const task = of(params);
      const { taskId, status } = task.shown;
      const meta = isRelated && { _meta: related(taskId) };
      const form = { message: "Your name?", requestedSchema: shape, ...meta };
      if (client.elicitation && status === "working") await ask("elicitation/create", form);
      await task.ended();
      if (task.shown.status === "cancelled") throw { code: -32000, message: "Cancelled" };
      return payloadOf(task);
    },
  });

export const taskFaults = {
  // Tasks of sessions
  "slow-tasks": tasking(),
  "task-structured": structuring({ text: "hello" }),
  "task-structured-invalid": structuring({ text: 7 }),
  "task-asks": asking(true),
  "task-asks-unrelated": asking(false),
  "task-ids-counted": tasking({ idOf: () => `task-${++counted}` }),
  "task-id-same": tasking({ idOf: () => "task" }),
  "task-progress-unrelated": tasking({ options: { progress: false } }),
  "task-result-early": tasking({ result: (params, of) => payloadOf(of(params)) }),
  "task-result-refused": tasking({
    result: (params, of) => {
      if (of(params).shown.status === "working") throw invalid("Not yet");
      return payloadOf(of(params));
    },
  }),
  "task-uncancelled": tasking({
    cancel: (params, of) => {
      of(params);
      throw invalid("Cannot be cancelled");
    },
  }),
  "task-cancelled-later": tasking({
    cancel: (params, of) => {
      const { shown } = of(params);
      if (shown.status !== "working") throw invalid("The task has ended");
      return shown;
    },
  }),
  "task-revives": tasking({ options: { revives: true } }),
  "task-result-internal": tasking({
    result: async (params, of) => {
      try {
        await of(params).ended();
      } catch {
        throw { code: -32603, message: "Internal error" };
      }
      return payloadOf(of(params));
    },
  }),
  "task-cursor-any": tasking({ list: (_, all) => all() }),
  "task-forbidden-served": tasking({ forbids: false }),
  "task-not-ignored": {
    respond: (response, { method, params = {}, id }) =>
      method === "tools/call" && params.task !== undefined
        ? { jsonrpc: "2.0", id, error: invalid("No tasks") }
        : response,
  },
  // Tasks of the extension
  "extension-tasks": extended(),
  "extension-inputs": extended({
    inputs: [
      ["first", "name"],
      ["second", "age"],
    ],
  }),
  "extension-key-same": extended({
    inputs: [
      ["input", "name"],
      ["input", "age"],
    ],
  }),
  "extension-listens-undeclared": extended({ listensUndeclared: true }),
  "extension-pushes-undated": extended({
    pushed: (task) => ({ ...task, lastUpdatedAt: undefined }),
  }),
  "extension-pushes-others": extended({ pushed: (task) => ({ ...task, taskId: "other" }) }),
  "extension-ids-counted": extended({ idOf: () => `task-${++count}` }),
  "extension-name-any": { ...extended(), http: { anyName: ["tasks/get"] } },
  "extension-task-undeclared": extended({ isUndeclared: true }),
  "extension-task-nested": extended({ created: (task) => ({ resultType: "task", task }) }),
  "extension-task-late": extended({
    get: (_, isOver) => {
      if (!isOver) throw invalid("Unknown task");
    },
  }),
  "extension-task-without-result": extended({
    get: (task, isOver) => (isOver ? { ...task, status: "completed" } : undefined),
  }),
  "extension-task-cancel-content": extended({ cancel: () => ({ status: "cancelled" }) }),
};
