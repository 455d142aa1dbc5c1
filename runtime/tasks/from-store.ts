import { OverloadError, RpcError, UnavailableError } from "../wire/index.js";

/**
 * Waits for a store of tasks on behalf of a request.
 * @throws UnavailableError when the store fails, unless it throws an OverloadError or an RpcError
 */
export async function fromStore<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OverloadError || error instanceof RpcError) throw error;
    throw new UnavailableError("the store of tasks", error);
  }
}
