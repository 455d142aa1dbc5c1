import type { ProtocolExtension } from "../../wire/index.js";
import type { CustomNotification, CustomRequest } from "../../api/index.js";

// oxlint-disable-next-line typescript/no-explicit-any
type AnyRequest = CustomRequest<any, any>;
// oxlint-disable-next-line typescript/no-explicit-any
type AnyNotification = CustomNotification<any>;

/** The tasks extension, as it is generated from its schema. */
export interface TaskExtension {
  readonly id: string;
  readonly requests: {
    readonly "tasks/get": AnyRequest;
    readonly "tasks/update": AnyRequest;
    readonly "tasks/cancel": AnyRequest;
  };
  readonly notifications: { readonly "notifications/tasks": AnyNotification };
  readonly alternatives: NonNullable<ProtocolExtension["alternatives"]>;
  readonly joins: NonNullable<ProtocolExtension["joins"]>;
}

/** Type of the results that start a task. */
export const TASK = "task";
/** Notification that tells how a task is doing. */
export const TOLD = "notifications/tasks";
/** Member that subscriptions to tasks add to their filter. */
export const TASK_IDS = "taskIds";
