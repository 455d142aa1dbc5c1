import type {
  CustomMessage,
  InputRequest,
  PeerDescription,
  Progress,
  RelatedCall,
  RequestOptions,
  Session,
} from "../../api/index.js";
import { quiet } from "../../ground/index.js";
import { LifecycleError, type RequestId, type Revision, type Side } from "../../wire/index.js";
import type { Binding } from "../define/binding.js";
import { askedInOnce } from "../define/errors.js";
import { Once } from "../receive/once.js";
import type { Conversation, RequestContext } from "../receive/request-context.js";
import type { Agreement, Connection } from "./lifecycle.js";

/** Conversation over a connection: a session, or the part of a stateless one that its client receives. */
export class ConnectedConversation implements Conversation {
  readonly binding: Binding;
  readonly #connection: Connection;

  constructor(connection: Connection, binding: Binding) {
    this.#connection = connection;
    this.binding = binding;
  }

  get side(): Side {
    return this.#connection.side;
  }

  sessionOf(): Session {
    return this.#connection.session;
  }

  control(context: RequestContext): unknown {
    const { params } = context;
    const { role } = context.row;
    switch (role) {
      case undefined:
        return undefined;
      case "ping":
        return {};
      case "cancelled": {
        const { requestId, reason } = params as { requestId?: unknown; reason?: unknown };
        return context.owner?.cancel(requestId, reason);
      }
      case "progress":
        return this.#connection.sent.progress(
          params as Progress & { readonly progressToken: RequestId },
        );
      default:
        return this.#connection.lifecycle.control(role, params, context);
    }
  }

  request(
    method: string | CustomMessage,
    params: unknown,
    options: RequestOptions | undefined,
    context: RequestContext,
  ): Promise<unknown> {
    if (context.work?.isCalling) return quiet(Promise.reject(askedInOnce(method)));
    return this.#connection.request(method, params, options, context);
  }

  notify(method: string | CustomMessage, params: unknown, context: RequestContext): Promise<void> {
    return this.#connection.notify(method, params, context);
  }

  once<Value>(
    key: string,
    work: () => Value | Promise<Value>,
    context: RequestContext,
  ): Promise<Value> {
    return (context.work ??= new Once()).do(key, work);
  }

  releaseStream({ id }: RequestContext, retry: number | undefined): void {
    if (id === undefined || !this.binding.revision?.conventions.polling) return;
    this.#connection.hooks?.releaseStream?.(id, retry);
  }

  cancelRequestsOf(context: RequestContext, reason: Error): void {
    this.#connection.sent.cancelDuring(context, reason);
  }

  report(error: Error): void {
    this.#connection.report(error);
  }
}

/** A connection as handlers and features see it. */
export class ConnectionSession implements Session {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get id(): string | undefined {
    return this.#connection.hooks?.sessionId;
  }

  get revision(): Revision {
    return this.#agreement.revision;
  }

  get peer(): PeerDescription {
    return this.#agreement.peer;
  }

  get connection(): object {
    return this.#connection;
  }

  get closed(): Promise<Error | undefined> {
    return this.#connection.finished;
  }

  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown> {
    return this.#connection.request(method, params, options);
  }

  notify(method: string, params?: unknown, once?: string): Promise<void> {
    return this.#connection.notify(method, params, undefined, once);
  }

  answer(
    questions: Readonly<Record<string, InputRequest>>,
    call: RelatedCall,
    signal?: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { lifecycle } = this.#connection;
    if (lifecycle.answer) return lifecycle.answer(questions, call, signal);
    const text = `${this.revision.id} has no questions but those in requests of their own`;
    return Promise.reject(new LifecycleError(text));
  }

  get #agreement(): Agreement {
    const { agreement } = this.#connection;
    if (agreement === undefined) throw new LifecycleError("No revision has been agreed on yet");
    return agreement;
  }
}
