import type { PeerDescription, Session } from "../api/index.js";
import { type RequestContext, notSent } from "../engine/index.js";
import { quiet } from "../ground/index.js";
import { META, type Revision, isObject } from "../wire/index.js";

/** Session that the handler of a stateless request sees: it is over with the answer. */
export class StatelessSession implements Session {
  readonly id: string | undefined = undefined;
  readonly #context: RequestContext;
  #peer: PeerDescription | undefined;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  get revision(): Revision {
    return this.#context.binding.revision!;
  }

  get peer(): PeerDescription {
    this.#peer ??= describedBy(this.#context.meta);
    return this.#peer;
  }

  get closed(): Promise<Error | undefined> {
    return this.#context.over;
  }

  request(method: string): Promise<unknown> {
    return refused(method);
  }

  notify(method: string): Promise<void> {
    return refused(method);
  }
}

function describedBy(meta: Readonly<Record<string, unknown>> | undefined): PeerDescription {
  const capabilities = meta?.[META.clientCapabilities];
  return {
    info: meta?.[META.clientInfo],
    capabilities: isObject(capabilities) ? capabilities : {},
  };
}

function refused(method: string): Promise<never> {
  const why = "this client has no session; use the context of the request";
  const error = notSent(method, why);
  return quiet(Promise.reject<never>(error));
}
