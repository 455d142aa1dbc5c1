import { type Handling, notSent } from "../engine/index.js";
import { quiet } from "../ground/index.js";
import { META, type Revision, isObject } from "../wire/index.js";
import type { PeerDescription, Session } from "../api/index.js";

/** A request that stands alone, as the session that it is for its handler: nothing of it outlasts the answer. */
export class StandaloneSession implements Session {
  readonly id: string | undefined = undefined;
  readonly #handling: Handling;
  #peer: PeerDescription | undefined;

  constructor(handling: Handling) {
    this.#handling = handling;
  }

  get revision(): Revision {
    return this.#handling.binding.revision!;
  }

  get peer(): PeerDescription {
    this.#peer ??= describedBy(this.#handling.meta);
    return this.#peer;
  }

  get closed(): Promise<Error | undefined> {
    return this.#handling.over;
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
