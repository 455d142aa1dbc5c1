import { onDemand } from "../../ground/index.js";
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  InvalidMessageError,
  type Malformed,
  type NotificationMessage,
  type Origin,
  type RequestMessage,
  RpcError,
  answerToUnreadable,
  classify,
  isObject,
  isRequestId,
  revisionOfErrors,
  whatIsWrong,
} from "../../wire/index.js";
import { internalError, notInBatch } from "../define/errors.js";
import { type Conversation, RequestContext } from "../receive/request-context.js";
import type { Batch } from "./batch.js";
import type { Connection } from "./lifecycle.js";

/** The code for batches, which is loaded when the first one arrives, because only a few revisions have batches. */
const whenBatch = /* @__PURE__ */ onDemand(() => import("./batch.js"));

export function receiveMalformed(
  connection: Connection,
  { code, problem, value, mayAnswer }: Malformed,
): void {
  const { sent: pending } = connection;
  if (isAnswer(connection, value)) return pending.response(value, `cannot be read: ${problem}`);
  if (mayAnswer) pending.lost(problem);
  refuse(connection, code, problem, value);
}

export function receive(
  connection: Connection,
  value: unknown,
  origin?: Origin,
  batch?: Batch,
): void {
  const kind = classify(value);
  const message = value as Record<string, unknown>;
  if (kind === "request" && isRequestId(message["id"])) {
    receiveRequest(connection, value as RequestMessage, origin, batch);
  } else if (kind === "notification") {
    receiveNotification(connection, value as NotificationMessage, origin);
    batch?.settle();
  } else if (kind === "result" || kind === "error") {
    connection.sent.response(message);
    batch?.settle();
  } else if (kind === "batch" && batch === undefined) {
    receiveBatch(connection, value as readonly unknown[], origin);
  } else if (isAnswer(connection, value)) {
    connection.sent.response(value, "is not a JSON-RPC response");
    batch?.settle();
  } else {
    refuse(connection, INVALID_REQUEST, whatIsWrong(value), value, batch);
  }
}

function receiveRequest(
  connection: Connection,
  request: RequestMessage,
  origin?: Origin,
  batch?: Batch,
): void {
  const reply = batch ?? connection;
  const { id, method, params } = request;
  const { lifecycle, sent } = connection;
  let conversation: Conversation | Promise<void>;
  try {
    conversation =
      lifecycle.receive?.(connection, "request", method, params) ?? connection.conversation;
    if (conversation instanceof Promise) {
      return connection.hold(conversation, (failure) => {
        if (failure) reply.respond({ jsonrpc: "2.0", id, error: internalError().toJSON() });
        else receiveRequest(connection, request, origin, batch);
      });
    }
    const { revision } = conversation.binding;
    if (batch && revision?.traits.batching === false) throw notInBatch(revision);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return reply.respond({ jsonrpc: "2.0", id, error: error.toJSON() });
  }
  const context = new RequestContext(conversation, reply, request, origin);
  if (origin || sent.hasTasks) context.call = sent.relatedCall(params, origin);
  connection.received.handle(context);
}

function receiveNotification(
  connection: Connection,
  notification: NotificationMessage,
  origin?: Origin,
): void {
  const { method, params } = notification;
  const { lifecycle, sent } = connection;
  const conversation =
    lifecycle.receive?.(connection, "notification", method, params) ?? connection.conversation;
  if (conversation instanceof Promise) {
    return connection.hold(conversation, (failure) => {
      if (!failure) receiveNotification(connection, notification, origin);
    });
  }
  const context = new RequestContext(conversation, connection, notification, origin);
  if (origin || sent.hasTasks) context.call = sent.relatedCall(params, origin);
  connection.received.react(context);
}

function receiveBatch(
  connection: Connection,
  messages: readonly unknown[],
  origin: Origin | undefined,
): void {
  const { revision } = connection.binding;
  const most = connection.definition.limits.batch;
  if (!revision?.traits.batching) {
    const when = revision ? `in ${revision.id}` : "before initialization";
    const problem = `there are no batches ${when}: send one message at a time`;
    return refuse(connection, INVALID_REQUEST, problem);
  }
  if (messages.length === 0) return refuse(connection, INVALID_REQUEST, "the batch is empty");
  if (messages.length > most)
    return refuse(connection, INVALID_REQUEST, `the batch has more than ${most} messages`);
  let batch: Batch | undefined;
  const handle = (failure?: Error): void => {
    if (failure) return refuse(connection, INTERNAL_ERROR, "batches are not available");
    for (const message of messages)
      connection.inOrder(() => receive(connection, message, origin, batch));
  };
  const loading = whenBatch(({ batchFor }) => {
    batch = batchFor(connection, messages.length);
  });
  if (loading) connection.hold(loading, handle);
  else handle();
}

/** Returns true if a value was meant as the response to a pending request. */
function isAnswer({ sent }: Connection, value: unknown): value is Record<string, unknown> {
  return isObject(value) && value["method"] === undefined && sent.has(value["id"]);
}

function refuse(
  connection: Connection,
  code: number,
  problem: string,
  value?: unknown,
  batch?: Batch,
): void {
  const { report, side, binding, definition } = connection;
  report(new InvalidMessageError(`Received a value that cannot be handled: ${problem}`));
  const revision = binding.revision ?? revisionOfErrors(definition.revisions);
  const answer = answerToUnreadable({ code, problem, value }, side, revision);
  if (answer) (batch ?? connection).respond(answer);
  else batch?.settle();
}
