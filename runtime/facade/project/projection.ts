import {
  CapabilityError,
  Derivation,
  type MessagePart,
  type Method,
  type OnLoss,
  type Projection,
  type Revision,
  type Trace,
  isObject,
  withoutServerInfo,
} from "../../wire/index.js";
import { summarize } from "../../engine/index.js";
import { isDevelopment } from "../is-development.js";
import { Lowering, type Message } from "./lowering.js";
import { isSame } from "./prepared-shape.js";
import { raise } from "./raise.js";
import { LOST, type Rule } from "./rule.js";
import type { Step } from "./step.js";
import { type Translation, translationOf } from "./translation.js";

/**
 * Translates between the newest revision and another one.
 *
 * @param steps - from the newest revision to this one; composed when the first message needs them
 */
export function projection(revision: Revision, steps: readonly Step<Rule>[]): Projection {
  let composed: Translation | undefined;
  const translation = (): Translation => (composed ??= translationOf(revision, steps));
  /** Translations of lists that are given again and again. */
  const kept = new Derivation();
  const isChecking = isDevelopment();

  function down(
    row: Method,
    part: MessagePart,
    value: unknown,
    onloss: OnLoss | undefined,
  ): unknown {
    const { method } = row;
    const { methods, shapes } = translation();
    const name = methods.get(method)?.[part];
    if (name === undefined || value === undefined) return value;
    const message = { revision: revision.id, method, part, onloss };
    const lowered = isSame(shapes.get(name)!, value) ? value : lower(message, name, value);
    if (isChecking && part === "params") assertFits(row, lowered, revision);
    return lowered;
  }

  function lower(message: Message, name: string, value: unknown): unknown {
    return kept.of(value, () => {
      const own = message.part === "result" ? ofThisServer(value) : value;
      const lowered = new Lowering(translation(), message).walk(name, own);
      if (lowered !== LOST) return lowered;
      const { method, revision: id } = message;
      throw new CapabilityError(`${method} was not sent: ${id} has no way to say it`);
    });
  }

  return {
    down,
    up({ method }, part, value) {
      const { methods, shapes } = translation();
      const name = methods.get(method)?.[part];
      return name === undefined || value === undefined ? value : raise(shapes, name, value);
    },
  };
}

/** Checks parameters; results are checked in any case, before they are sent. */
function assertFits(
  { method, params: validator }: Method,
  params: unknown,
  { id }: Revision,
): void {
  const issues: Trace = [];
  if (validator === undefined || validator(params, issues)) return;
  throw new TypeError(`${method} was not sent: it is not as ${id} has it: ${summarize(issues)}`);
}

/** Removes the name of another server, if a handler passes on a result that it received. */
function ofThisServer(result: unknown): unknown {
  const meta = isObject(result) ? result["_meta"] : undefined;
  if (!isObject(meta)) return result;
  const others = withoutServerInfo(meta);
  return others === meta ? result : { ...(result as object), _meta: others };
}
