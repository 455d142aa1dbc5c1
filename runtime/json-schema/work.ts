import type { SchemaLimits } from "./limits.js";
import type { Node } from "./node.js";

/** Thrown out of an evaluation that costs more than it may. */
export class TooMuchWork extends Error {
  override readonly name: string = "TooMuchWork";
}

/** How often, in subschemas, the clock is looked at. */
const BETWEEN_LOOKS = 256;

/** What is left of the work that one check may do. */
export class Work {
  readonly #limits: SchemaLimits;
  #left = 0;
  #deadline = Infinity;

  constructor(limits: SchemaLimits) {
    this.#limits = limits;
  }

  /** @param most - where less may be done than the limits say */
  begin(most: number = Infinity): void {
    const { work, time } = this.#limits;
    this.#left = Math.min(work, most);
    this.#deadline = performance.now() + time;
  }

  /**
   * Counts the evaluations of a subschema: the library reads each keyword of it once whenever it applies it, so
   * that the getter of one that it reads in any dialect sees them all.
   */
  count(node: Node, isExpensive: boolean): void {
    const value = node["$recursiveAnchor"];
    Object.defineProperty(node, "$recursiveAnchor", {
      enumerable: false,
      get: () => {
        this.#spend(isExpensive);
        return value;
      },
    });
  }

  #spend(isExpensive: boolean): void {
    this.#left -= 1;
    const isTimed = isExpensive || this.#left % BETWEEN_LOOKS === 0;
    const isLate = isTimed && performance.now() > this.#deadline;
    if (this.#left < 0 || isLate) throw new TooMuchWork();
  }
}
