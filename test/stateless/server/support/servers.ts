import type { ServerOptions } from "../../../../runtime/api/options.js";
import type { Revision } from "../../../../runtime/wire/revision/revision.js";
import { serverOfAnyKind } from "../../../../runtime/negotiation/index.js";
import { ServerBase } from "../../../../runtime/engine/index.js";

/** A server of any revisions, without their types. */
export class RevisionsServer extends ServerBase<object, object, object, object> {
  constructor(
    revisions: readonly Revision[],
    info: object,
    handlers: object = {},
    options: ServerOptions = {},
  ) {
    super(revisions, info, handlers, options, serverOfAnyKind);
  }

  /** Sends any notification. */
  tell(method: string, params?: object): Promise<void> {
    return (this.notify as (method: string, params?: object) => Promise<void>)(method, params);
  }
}
