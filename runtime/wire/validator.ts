import { describe } from "./descriptions.js";
import { explain } from "./explain.js";
import type { Shapes } from "./shape.js";
import { isObject, type Test } from "./validate.js";
import type { Validator } from "./validation.js";

/** Members that `Object.prototype` has in the language. */
const STANDARD_MEMBERS = 12;

/**
 * Makes the validator of a type: the generated test decides, and {@link explain} finds the reasons when a caller wants
 * them. The one place that guards against inherited members: the test reads members as those of objects that
 * `JSON.parse` makes. Where every object inherits more (a polluted `Object.prototype`), or the value itself is an object
 * of a class, {@link explain} decides, which counts own members only.
 */
export function validator<Type>(shapes: Shapes, name: string, test: Test): Validator<Type> {
  const validate: Validator<Type> = (value, trace): value is Type => {
    const passes = test(value);
    if (isPlain(value) && (passes ? !isPolluted() : trace === undefined && !hasExtraMembers())) {
      return passes;
    }
    return explain(shapes, name, value, trace ?? []);
  };
  describe(validate, shapes, name);
  return validate;
}

/** False for an object that inherits from another one than `Object.prototype`. */
function isPlain(value: unknown): boolean {
  if (!isObject(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
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
