import { explain } from "./explain.js";
import type { Shapes } from "./shape.js";
import type { Test } from "./validate.js";
import type { Validator } from "./validation.js";

/** Members that `Object.prototype` has in the language. */
const STANDARD_MEMBERS = 12;

/**
 * Makes the validator of a type: the generated test decides, and {@link explain} finds the reasons when a caller wants
 * them. The one place that guards against a polluted `Object.prototype`: the test reads members of plain objects
 * without asking whether they are inherited, so that where they may be, {@link explain} decides, which asks.
 */
export function validator<Type>(shapes: Shapes, name: string, test: Test): Validator<Type> {
  return (value, trace): value is Type => {
    if (test(value) && !isPolluted()) return true;
    if (trace === undefined && !hasExtraMembers()) return false;
    return explain(shapes, name, value, trace ?? []);
  };
}

/** True when every object inherits a member that can be enumerated. */
function isPolluted(): boolean {
  for (const _ in Object.prototype) return true;
  return false;
}

/** True when every object inherits a member that the language does not have, enumerable or not. */
function hasExtraMembers(): boolean {
  return Object.getOwnPropertyNames(Object.prototype).length > STANDARD_MEMBERS;
}
