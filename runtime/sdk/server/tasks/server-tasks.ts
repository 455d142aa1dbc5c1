import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
  RequestOptions,
  ResponseMessage,
  Result,
} from "../../shared/index.js";
import { TaskRequests } from "../../shared/internal/index.js";

/** Sends requests that the client runs as tasks, like `experimental.tasks` in version 1. */
export class ExperimentalServerTasks extends TaskRequests {
  /** Requests a message from the client's model. Yields the task's states, and then the result or an error. */
  createMessageStream(
    params: CreateMessageRequest["params"],
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<CreateMessageResult & Result>, void, void> {
    return this.requestStream({ method: "sampling/createMessage", params }, undefined, options);
  }

  /** Requests input from the user. Yields the task's states, and then the result or an error. */
  elicitInputStream(
    params: ElicitRequest["params"],
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<ElicitResult & Result>, void, void> {
    return this.requestStream({ method: "elicitation/create", params }, undefined, options);
  }
}
