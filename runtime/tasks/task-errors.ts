import { INTERNAL_ERROR, INVALID_PARAMS, RpcError } from "../wire/index.js";

export function invalidTask(problem: string): RpcError {
  return new RpcError(INVALID_PARAMS, `Invalid params: /taskId: the task ${problem}`);
}

export function busy(problem: string): RpcError {
  return new RpcError(INTERNAL_ERROR, `Busy: ${problem}, try again later`);
}
