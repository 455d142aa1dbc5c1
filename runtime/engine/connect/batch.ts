import type { ResponseMessage } from "../../wire/index.js";
import type { Reply } from "../receive/request-context.js";
import type { Connection } from "./lifecycle.js";

/** A reply to an array of messages, whose responses are sent together (JSON-RPC 2.0, section 6). */
export interface Batch extends Reply {
  /** Settles one message of the batch, with or without a response. The last call sends the collected responses. */
  settle(answer?: ResponseMessage): void;
}

export function batchFor(connection: Connection, members: number): Batch {
  const answers: ResponseMessage[] = [];
  let open = members;
  const batch: Batch = {
    hasOwnStream: false,
    connection,
    respond(answer) {
      JSON.stringify(answer);
      batch.settle(answer);
    },
    send: (message, relatedTo) => connection.send(message, relatedTo),
    cancelled(id) {
      batch.settle();
      connection.cancelled(id);
    },
    settle(answer) {
      if (answer) answers.push(answer);
      open -= 1;
      if (open === 0 && answers.length > 0) void connection.send(answers, undefined);
    },
  };
  return batch;
}
