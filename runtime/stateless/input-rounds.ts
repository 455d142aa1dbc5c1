import {
  type Attempt,
  type Binding,
  type Continuation,
  type SideDefinition,
  type PendingRequests,
  type Connection,
  type PendingRequest,
  closedHere,
  markSingleUse,
} from "../engine/index.js";
import { type InputRequired, isInputRequired } from "./input-required.js";
import { InputAnswers } from "./input-answers.js";
import type { FreshLists } from "./fresh-lists.js";
import { RoundTrip } from "./round-trip.js";

/**
 * Brings requests to their final results: answers the questions that results have, and sends the requests again with
 * the answers (MCP: multi round trips). One per connection.
 */
export class InputRounds implements Continuation {
  readonly #connection: Connection;
  readonly #binding: Binding;
  readonly #definition: SideDefinition;
  readonly #lists: FreshLists;
  /** Requests that have been answered with questions. */
  readonly #trips = new Set<RoundTrip>();

  constructor(
    connection: Connection,
    binding: Binding,
    definition: SideDefinition,
    lists: FreshLists,
  ) {
    this.#connection = connection;
    this.#binding = binding;
    this.#definition = definition;
    this.#lists = lists;
    void connection.finished.then((error) => {
      for (const trip of this.#trips) trip.abort(error ?? closedHere());
    });
  }

  answered(
    request: PendingRequest,
    result: unknown,
    requests: PendingRequests,
  ): Promise<unknown> | undefined {
    if (!request.row.inputResult || !isInputRequired(result)) return undefined;
    const send: Attempt = (next, options) =>
      requests
        .request({ ...next, stateless: request.stateless }, options, request.during)
        .continued(this.#lists);
    return this.#go(request, result, send);
  }

  refused(
    request: PendingRequest,
    error: Error,
    requests: PendingRequests,
  ): Promise<unknown> | undefined {
    return this.#lists
      .refused(request, error, requests)
      ?.then((result) => this.answered(request, result, requests) ?? result);
  }

  async #go(request: PendingRequest, asked: InputRequired, send: Attempt): Promise<unknown> {
    const { deadlines, aborts, limits } = this.#definition;
    const answers = new InputAnswers(
      this.#connection,
      this.#binding,
      request.call,
      limits.incoming,
    );
    const trip = new RoundTrip({ request, send, answers });
    const { signal } = request;
    this.#trips.add(trip);
    deadlines.add(trip);
    if (signal) aborts.add(signal, trip);
    try {
      return markSingleUse(await trip.run(asked, limits.rounds));
    } finally {
      this.#trips.delete(trip);
      deadlines.delete(trip);
      if (signal) aborts.delete(signal, trip);
    }
  }
}
