import {
  type Attempt,
  type Binding,
  type Continuation,
  type Definition,
  type Outgoing,
  type Peer,
  type Pending,
  closedHere,
  markSingleUse,
} from "../engine/index.js";
import { type InputRequired, isInputRequired } from "./arrived-result.js";
import { InputAnswers } from "./input-answers.js";
import type { FreshLists } from "./fresh-lists.js";
import { RoundTrip } from "./round-trip.js";

/**
 * Brings requests to their final results: answers the questions that results have, and sends the requests again with
 * the answers (MCP: multi round trips). One per connection.
 */
export class InputRounds implements Continuation {
  readonly #peer: Peer;
  readonly #binding: Binding;
  readonly #definition: Definition;
  readonly #lists: FreshLists;
  /** Requests that have been answered with questions. */
  readonly #trips = new Set<RoundTrip>();

  constructor(peer: Peer, binding: Binding, definition: Definition, lists: FreshLists) {
    this.#peer = peer;
    this.#binding = binding;
    this.#definition = definition;
    this.#lists = lists;
    void peer.finished.then((error) => {
      for (const trip of this.#trips) trip.abort(error ?? closedHere());
    });
  }

  answered(request: Pending, result: unknown, outgoing: Outgoing): Promise<unknown> | undefined {
    if (!request.row.inputResult || !isInputRequired(result)) return undefined;
    const send: Attempt = (next, options) =>
      outgoing.request(next, options, request.during).continued(this.#lists, outgoing);
    return this.#go(request, result, send);
  }

  refused(request: Pending, error: Error, outgoing: Outgoing): Promise<unknown> | undefined {
    return this.#lists
      .refused(request, error, outgoing)
      ?.then((result) => this.answered(request, result, outgoing) ?? result);
  }

  async #go(request: Pending, asked: InputRequired, send: Attempt): Promise<unknown> {
    const { deadlines, aborts, limits } = this.#definition;
    const answers = new InputAnswers(this.#peer, this.#binding, request.row, limits.incoming);
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
