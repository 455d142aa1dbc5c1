import type { Binding } from "../binding.js";
import type { Definition } from "../definition.js";
import { closedHere } from "../connection-errors.js";
import type { RequestOptions } from "../options.js";
import type { Peer } from "../peer.js";
import { type RequestTimes, timesOf } from "../request-times.js";
import { markSingleUse } from "../single-use.js";
import { type InputRequired, isInputRequired } from "./arrived-result.js";
import { InputAnswers } from "./input-answers.js";
import type { Admitted, Attempt } from "./lifecycle.js";
import { RoundTrip, type RoundTripOptions } from "./round-trip.js";

/**
 * Brings requests to their final results: answers the questions that results have, and sends the requests again with
 * the answers (MCP: multi round trips). One per connection.
 */
export class InputRounds {
  readonly #peer: Peer;
  readonly #binding: Binding;
  readonly #definition: Definition;
  readonly #times: RequestTimes;
  /** Requests that have been answered with questions. */
  readonly #trips = new Set<RoundTrip>();

  constructor(peer: Peer, binding: Binding, definition: Definition, times: RequestTimes) {
    this.#peer = peer;
    this.#binding = binding;
    this.#definition = definition;
    this.#times = times;
    void peer.finished.then((error) => {
      for (const trip of this.#trips) trip.abort(error ?? closedHere());
    });
  }

  bring(request: Admitted, options: RequestOptions, send: Attempt): Promise<unknown> {
    const started = performance.now();
    return send(request, options).then((result) =>
      isInputRequired(result) ? this.#go(result, request, { options, send, started }) : result,
    );
  }

  async #go(
    asked: InputRequired,
    request: Admitted,
    { options, send, started }: Pick<RoundTripOptions, "options" | "send" | "started">,
  ): Promise<unknown> {
    const { deadlines, aborts, limits } = this.#definition;
    const answers = new InputAnswers(this.#peer, this.#binding, request.row, limits.incoming);
    const times = timesOf(options, this.#times);
    const trip = new RoundTrip({ request, options, send, started, times, answers });
    const { signal } = options;
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
