export { followTask, type FollowTaskOptions, type TaskPeer } from "./follow-task.js";
export { MemoryTaskStore, type MemoryTaskStoreOptions } from "./memory-task-store.js";
export { requestAsTask, type RequestAsTaskOptions } from "./request-as-task.js";
export type { CreatedTask, Task, TaskStatus } from "./task.js";
export type { StoredTask, TaskOutcome, TaskStore } from "./task-store.js";
export type { TaskAdmission, TasksOptions } from "./tasks-options.js";
export { Tasks } from "./tasks.js";
export type { TaskExtension } from "./calls/task-extension.js";
export { type ServerTasks, type ServerTasksOptions, serverTasksWith } from "./server-tasks.js";
