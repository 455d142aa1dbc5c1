import {
  CapabilityError,
  type Projection,
  type Revision,
  deriving,
  isObject,
  withoutServerInfo,
} from "../../wire/index.js";
import { type Translation, translationOf } from "./composition.js";
import { LOST, type Rule, type Step } from "./step.js";
import { isSame, Lowering, raise } from "./translate.js";

/**
 * Creates the translation between the newest revision and another one. Messages that do not differ between the two have
 * no translation.
 *
 * @param steps - the steps from the newest revision to this one; composed when the first route is bound
 */
export function projection(revision: Revision, steps: readonly Step<Rule>[]): Projection {
  let composed: Translation | undefined;
  const translation = (): Translation => (composed ??= translationOf(revision, steps));
  /** The translations of lists that are sent repeatedly. */
  const kept = new WeakMap<object, unknown>();
  return {
    down({ method }, part, onloss) {
      const { methods, shapes } = translation();
      const name = methods.get(method)?.[part];
      if (name === undefined) return undefined;
      const shape = shapes.get(name)!;
      const message = { revision: revision.id, method, part, onloss };
      const lower = (value: unknown): unknown => {
        const own = part === "result" ? ofThisServer(value) : value;
        const lowered = new Lowering(translation(), message).walk(name, own);
        if (lowered !== LOST) return lowered;
        throw new CapabilityError(`${method} was not sent: ${revision.id} cannot express it`);
      };
      const lowered = deriving(lower, kept);
      return (value) => (value === undefined || isSame(shape, value) ? value : lowered(value));
    },
    up({ method }, part) {
      const { methods, shapes } = translation();
      const name = methods.get(method)?.[part];
      if (name === undefined) return undefined;
      return (value) => (value === undefined ? value : raise(shapes, name, value));
    },
  };
}

/** Removes the identity of another server, whose result a handler may have passed on. */
function ofThisServer(result: unknown): unknown {
  const meta = isObject(result) ? result["_meta"] : undefined;
  if (!isObject(meta)) return result;
  const others = withoutServerInfo(meta);
  return others === meta ? result : { ...(result as object), _meta: others };
}
