import type { SchemaLimits } from "./limits.js";
import type { Node } from "./node.js";

/** Thrown out of an evaluation that costs more than it may. */
export class TooMuchWork extends Error {
  override readonly name: string = "TooMuchWork";
}

/** Budget of work for one check. */
export class Work {
  readonly #limits: SchemaLimits;
  #left = 0;
  #deadline = Infinity;

  constructor(limits: SchemaLimits) {
    this.#limits = limits;
  }

  /** Begins a check. */
  begin(): void {
    this.#left = this.#limits.work;
    this.#deadline = performance.now() + this.#limits.time;
  }

  /** Leaves less to do than there is, in the time that there is. */
  limit(most: number): void {
    this.#left = Math.min(this.#limits.work, most);
  }

  get isLate(): boolean {
    return performance.now() > this.#deadline;
  }

  /** @throws TooMuchWork when nothing is left */
  spend(): void {
    this.#left -= 1;
    if (this.#left < 0 || this.isLate) throw new TooMuchWork();
  }

  /**
   * Counts the evaluations of a subschema: the library reads each keyword of it once whenever it applies it, so
   * that the getter of one that it reads in any dialect sees them all.
   */
  count(node: Node): void {
    const value = node["$recursiveAnchor"];
    Object.defineProperty(node, "$recursiveAnchor", {
      enumerable: false,
      get: () => {
        this.spend();
        return value;
      },
    });
  }
}
