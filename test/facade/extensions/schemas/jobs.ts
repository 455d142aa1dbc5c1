import type {
  JSONRPCNotification,
  JSONRPCRequest,
  NotificationParams,
  RequestParams,
  Result,
} from "../../../../schema/2026-07-28/schema.js";

/** Comes in place of the result of a call that has to wait for its turn. */
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

/** A job has come further. */
export type JobNotification = JSONRPCNotification & {
  method: "notifications/jobs";
  params: NotificationParams & { job: string; percent: number };
};

/** Jobs that a subscription is about. */
export interface JobSubscriptions {
  jobs?: string[];
}
