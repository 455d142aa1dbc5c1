import {
  INVALID_REQUEST,
  InvalidMessageError,
  type Malformed,
  type Message,
  type NotificationMessage,
  type Origin,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
  RpcError,
  answerToUnreadable,
  classify,
  isObject,
  isRequestId,
  revisionOfErrors,
  whatIsWrong,
} from "../../wire/index.js";
import { notInBatch } from "../define/errors.js";
import { type Conversation, type Reply, RequestContext } from "../receive/request-context.js";
import type { Connection } from "./lifecycle.js";

/** Sorts received values into requests, notifications, responses and invalid messages. */
export class Inbox {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  malformed({ code, problem, value, mayAnswer }: Malformed): void {
    const { sent: pending } = this.#connection;
    if (this.#isAnswer(value)) return pending.response(value, `cannot be read: ${problem}`);
    if (mayAnswer) pending.lost(problem);
    this.#refuse(code, problem, value);
  }

  /** Handles one message. */
  single(value: unknown, origin?: Origin, batch?: Batch): void {
    const kind = classify(value);
    const message = value as Record<string, unknown>;
    if (kind === "request" && isRequestId(message["id"])) {
      this.#request(value as RequestMessage, origin, batch);
    } else if (kind === "notification") {
      this.#notification(value as NotificationMessage, origin);
      batch?.settle();
    } else if (kind === "result" || kind === "error") {
      this.#connection.sent.response(message);
      batch?.settle();
    } else if (this.#isAnswer(value)) {
      this.#connection.sent.response(value, "is not a JSON-RPC response");
      batch?.settle();
    } else {
      this.#refuse(INVALID_REQUEST, whatIsWrong(value), value, batch);
    }
  }

  #request(request: RequestMessage, origin?: Origin, batch?: Batch): void {
    const connection = this.#connection;
    const reply = batch ?? connection;
    const { id, method, params } = request;
    let conversation: Conversation;
    try {
      conversation = connection.conversationFor("request", method, params);
      const { revision } = conversation.binding;
      if (batch && revision?.traits.batching === false) throw notInBatch(revision);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return reply.respond({ jsonrpc: "2.0", id, error: error.toJSON() });
    }
    const context = new RequestContext(conversation, reply, request, origin);
    if (origin || connection.sent.hasTasks)
      context.call = connection.sent.relatedCall(params, origin);
    connection.received.handle(context);
  }

  #notification(notification: NotificationMessage, origin?: Origin): void {
    const connection = this.#connection;
    const { method, params } = notification;
    const conversation = connection.conversationFor("notification", method, params);
    const context = new RequestContext(conversation, connection, notification, origin);
    if (origin || connection.sent.hasTasks)
      context.call = connection.sent.relatedCall(params, origin);
    connection.received.react(context);
  }

  /** Handles an array of messages (JSON-RPC 2.0, section 6). */
  batch(messages: readonly unknown[], origin: Origin | undefined): void {
    const connection = this.#connection;
    const { revision } = connection.binding;
    const most = connection.definition.limits.batch;
    if (!revision?.traits.batching) {
      const when = revision ? `in ${revision.id}` : "before initialization";
      this.#refuse(INVALID_REQUEST, `there are no batches ${when}: send one message at a time`);
    } else if (messages.length === 0) {
      this.#refuse(INVALID_REQUEST, "the batch is empty");
    } else if (messages.length > most) {
      this.#refuse(INVALID_REQUEST, `the batch has more than ${most} messages`);
    } else {
      const batch = new Batch(connection, messages.length, (answers) => {
        void connection.send(answers, undefined);
      });
      for (const message of messages) this.single(message, origin, batch);
    }
  }

  /** True if a value was meant as the response to a pending request. */
  #isAnswer(value: unknown): value is Record<string, unknown> {
    const { sent: pending } = this.#connection;
    return isObject(value) && value["method"] === undefined && pending.has(value["id"]);
  }

  #refuse(code: number, problem: string, value?: unknown, batch?: Batch): void {
    const { report, side, binding, definition } = this.#connection;
    report(new InvalidMessageError(`Received a value that cannot be handled: ${problem}`));
    const revision = binding.revision ?? revisionOfErrors(definition.revisions);
    const answer = answerToUnreadable({ code, problem, value }, side, revision);
    if (answer) (batch ?? this.#connection).respond(answer);
    else batch?.settle();
  }
}

/** Reply for an array of messages, whose responses are sent together (JSON-RPC 2.0, section 6). */
export class Batch implements Reply {
  readonly hasOwnStream = false;
  readonly #reply: Reply;
  readonly #send: (answers: readonly ResponseMessage[]) => void;
  readonly #answers: ResponseMessage[] = [];
  #open: number;

  /**
   * @param reply - reply of single messages
   * @param members - expected number of calls of {@link settle}
   */
  constructor(reply: Reply, members: number, send: (answers: readonly ResponseMessage[]) => void) {
    this.#reply = reply;
    this.#open = members;
    this.#send = send;
  }

  get connection(): object {
    return this.#reply.connection;
  }

  respond(answer: ResponseMessage): void {
    JSON.stringify(answer);
    this.settle(answer);
  }

  send(message: Message, relatedTo: RequestId | undefined): Promise<void> | undefined {
    return this.#reply.send(message, relatedTo);
  }

  cancelled(id: RequestId): void {
    this.settle();
    this.#reply.cancelled(id);
  }

  /**
   * Settles one member, with or without a response. The last call sends the collected responses.
   */
  settle(answer?: ResponseMessage): void {
    if (answer) this.#answers.push(answer);
    this.#open -= 1;
    if (this.#open === 0 && this.#answers.length > 0) this.#send(this.#answers);
  }
}
