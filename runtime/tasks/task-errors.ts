import { INTERNAL_ERROR, INVALID_PARAMS, RpcError } from "../wire/index.js";

export function invalidTask(problem: string): RpcError {
  return new RpcError(INVALID_PARAMS, `Invalid params: /taskId: the task ${problem}`);
}

/** Text of the error of a task whose result the store cannot keep. */
export const NO_ROOM = "Internal error: there is no room for the result";

export function busy(problem: string): RpcError {
  return new RpcError(INTERNAL_ERROR, `Busy: ${problem}, try again later`);
}
