import { RpcError } from "./errors.js";

const received = new WeakSet<RpcError>();

/** An error that a peer has answered with. */
export function receivedError(code: number, message: string, data: unknown): RpcError {
  const error = new RpcError(code, message, data);
  received.add(error);
  return error;
}

/** True when a peer sent the error; false when this side created it as an answer. */
export function wasReceived(error: RpcError): boolean {
  return received.has(error);
}
