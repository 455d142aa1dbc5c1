import { ExperimentalClientTasks, type TaskClient } from "./tasks.js";
import type { Abort } from "./call-results.js";
import { Client as ClientOfVersion2 } from "./client.js";
import { loginErrorIn } from "./login-errors.js";
import { ErrorCode, McpError, mcpErrorOf } from "../shared/index.js";

export * from "./index.js";

/** A client that throws version 1 errors (`McpError` with a code). */
export class Client extends ClientOfVersion2 {
  /** The requests that run as tasks. */
  readonly experimental: { readonly tasks: ExperimentalClientTasks } = {
    tasks: new ExperimentalClientTasks(this as unknown as TaskClient),
  };

  protected override errorOf(error: unknown): unknown {
    return loginErrorIn(error) ?? mcpErrorOf(error);
  }

  protected override abortedBy({ isEarly, reason }: Abort): unknown {
    if (isEarly || reason instanceof McpError) return reason;
    return new McpError(ErrorCode.RequestTimeout, String(reason));
  }

  protected override get hasEmptyLists(): boolean {
    return false;
  }
}
