import type {
  InputRequest,
  PeerDescription,
  RelatedCall,
  RequestOptions,
  Session,
} from "../../api/index.js";
import { LifecycleError, type Revision } from "../../wire/index.js";
import type { Agreement, Connection } from "./lifecycle.js";

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
