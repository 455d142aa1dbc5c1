import type { Exchange } from "./exchange.js";
import { Refusals } from "./handler-counts.js";
import {
  failedChecks,
  type HandlerHealth,
  type HandlerState,
  type HealthChecks,
} from "./handler-health.js";

/** Life of a handler, from open to closed, with what its operators want to know of it. */
export class HandlerLife {
  state: HandlerState = "open";
  readonly refusals: Refusals = new Refusals();
  readonly #checks: HealthChecks;

  /** @param checks - of the stores that requests depend on */
  constructor(checks: HealthChecks = {}) {
    this.#checks = checks;
  }

  /** Begins with a request. */
  enter(exchange: Exchange): void {
    exchange.refusals = this.refusals;
    if (!this.isServing) exchange.isLate = true;
  }

  /** True for a request that may be served: while it drains, one that came before. */
  takes({ isLate }: Exchange): boolean {
    return this.isServing || (this.state === "draining" && isLate !== true);
  }

  leave(): void {
    if (this.state === "open") this.state = "leaving";
  }

  async health(timeout = 1000): Promise<HandlerHealth> {
    const away = await failedChecks(this.#checks, timeout);
    const { state } = this;
    return { state, isReady: state === "open" && Object.keys(away).length === 0, away };
  }

  /** True while everything is served. */
  get isServing(): boolean {
    return this.state === "open" || this.state === "leaving";
  }
}
