import type {
  JSONRPCNotification,
  JSONRPCRequest,
  NotificationParams,
  RequestParams,
  Result,
} from "../../../../schema/2026-07-28/schema.js";

/** Replaces the result of a call that waits for its turn. */
export interface QueuedResult extends Result {
  resultType: "queued";
  job: string;
}

export interface JobParams extends RequestParams {
  job: string;
}

/** Looks how far a job is. */
export type GetJobRequest = JSONRPCRequest & { method: "jobs/get"; params: JobParams };
export interface GetJobResult extends Result {
  percent: number;
}

/** The progress of a job has changed. */
export type JobNotification = JSONRPCNotification & {
  method: "notifications/jobs";
  params: NotificationParams & { job: string; percent: number };
};

/** Jobs that a subscription is about. */
export interface JobSubscriptions {
  jobs?: string[];
}
