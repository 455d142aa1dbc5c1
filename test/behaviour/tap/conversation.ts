import type { Side } from "../../../runtime/wire/revision/revision.js";
import type { Package } from "../support/packages.js";
import type { Kind, Wire } from "./wire-message.js";

/** A request that a tap has seen. */
export interface Asked {
  readonly method: string;
  readonly params: Wire;
  state: "open" | "answered" | "cancelled";
  /** The latest progress sent for the request. */
  progress: number;
}

/** The state of a conversation, which decides which messages may come next. */
export class Conversation {
  package: Package;
  isAgreed: boolean;
  isReady: boolean;
  /** True if the server's capabilities were never sent. */
  readonly isAssumed: boolean;
  readonly capabilities: Record<Side, Wire> = { client: {}, server: {} };
  readonly #packages: readonly Package[];
  /** The ids of values that were not messages. An error may refer to them. */
  readonly #unreadable: Record<Side, Set<unknown>> = { client: new Set(), server: new Set() };
  /** Requests by sender and id; of several requests with one id, the newest comes last. */
  readonly #requested: Record<Side, Map<unknown, Asked[]>> = {
    client: new Map(),
    server: new Map(),
  };

  constructor(packages: readonly Package[], isAssumed: boolean) {
    this.#packages = packages;
    this.package = packages[0]!;
    this.isAssumed = isAssumed;
    this.isAgreed = isAssumed;
    this.isReady = isAssumed;
  }

  /** Returns the request by that side to which an answer belongs. */
  request(by: Side, id: unknown): Asked | undefined {
    const all = this.#requested[by].get(id);
    return all?.find(({ state }) => state !== "answered") ?? all?.at(-1);
  }

  /** Returns the request by that side that carries a progress token. */
  requestWithToken(by: Side, token: unknown): Asked | undefined {
    for (const all of this.#requested[by].values()) {
      const found = all.findLast(({ params }) => params?.["_meta"]?.progressToken === token);
      if (found) return found;
    }
    return undefined;
  }

  noteUnreadable(message: Wire, from: Side): void {
    this.#unreadable[from].add(message?.id);
  }

  note(message: Wire, kind: Kind, from: Side): void {
    const other = otherSide(from);
    if (kind === "request") this.#noteRequest(message, from);
    else if (kind === "notification") this.#noteNotification(message, from);
    else this.#noteAnswer(message, kind, this.request(other, message.id));
  }

  /** Returns the problems that a message has at this point and that its sender could have avoided. */
  orderProblems(message: Wire, kind: Kind, from: Side, inBatch: boolean): string[] {
    const other = otherSide(from);
    if (kind === "request") return this.#requestProblems(message, from);
    if (kind === "notification") return this.#notificationProblems(message, from);
    if (message.id === null || message.id === undefined) return [];
    if (kind === "error" && this.#unreadable[other].has(message.id)) return [];
    const requested = this.request(other, message.id);
    if (requested === undefined) return ["an answer to nothing"];
    if (requested.state === "answered") return ["a second answer"];
    return requested.state === "cancelled" && !inBatch ? ["an answer after the cancellation"] : [];
  }

  #requestProblems({ id, method, params }: Wire, from: Side): string[] {
    const problems = [];
    if (this.#requested[from].has(id)) problems.push("an id that was used before");
    const isEarly = from === "client" ? !this.isAgreed : !this.isReady;
    if (isEarly && method !== "ping" && method !== "initialize")
      problems.push("a request too early");
    const token: unknown = params?.["_meta"]?.progressToken;
    const other = token === undefined ? undefined : this.requestWithToken(from, token);
    if (other?.state === "open") problems.push("a progress token that is in use");
    return problems;
  }

  #notificationProblems({ method, params }: Wire, from: Side): string[] {
    if (method === "notifications/cancelled") {
      const requested = this.request(from, params?.requestId);
      if (requested === undefined) return ["a cancellation of an unknown request"];
      return requested.method === "initialize" ? ["a cancellation of initialize"] : [];
    }
    if (method !== "notifications/progress") return [];
    const requested = this.requestWithToken(otherSide(from), params?.progressToken);
    if (requested === undefined) return ["progress for an unknown request"];
    if (requested.state !== "open" && requested.params.task === undefined)
      return ["progress after the end"];
    return params.progress > requested.progress ? [] : ["progress that does not increase"];
  }

  #noteRequest({ id, method, params }: Wire, from: Side): void {
    const all = this.#requested[from].get(id) ?? [];
    all.push({ method, params, state: "open", progress: -Infinity });
    this.#requested[from].set(id, all);
  }

  #noteNotification({ method, params }: Wire, from: Side): void {
    if (method === "notifications/initialized") this.isReady = true;
    if (method === "notifications/cancelled") {
      const requested = this.request(from, params?.requestId);
      const isStoppable =
        requested?.method !== "initialize" && requested?.params?.task === undefined;
      if (requested?.state === "open" && isStoppable) requested.state = "cancelled";
    }
    if (method === "notifications/progress") {
      const requested = this.requestWithToken(otherSide(from), params?.progressToken);
      if (requested) requested.progress = params.progress;
    }
  }

  #noteAnswer({ result }: Wire, kind: Kind, requested: Asked | undefined): void {
    if (requested === undefined) return;
    requested.state = "answered";
    if (requested.method !== "initialize" || kind !== "result" || this.isAgreed) return;
    const agreed = this.#packages.find(({ revision }) => revision.id === result?.protocolVersion);
    this.package = agreed ?? this.package;
    this.capabilities.client = requested.params?.capabilities ?? {};
    this.capabilities.server = result?.capabilities ?? {};
    this.isAgreed = true;
  }
}

export function otherSide(side: Side): Side {
  return side === "client" ? "server" : "client";
}
