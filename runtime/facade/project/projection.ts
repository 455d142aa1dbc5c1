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
import { isSame, preparedShapes } from "./prepared-shape.js";
import type { ProjectionTable } from "./projection-table.js";
import { raise } from "./raise.js";
import { LOST } from "./rule.js";

/** Translates between the newest revision and another one, as that one's table says. */
export function projection(revision: Revision, { methods, shapes }: ProjectionTable): Projection {
  const table = preparedShapes(shapes);
  const places = new Map(Object.entries(methods));
  /** What became of lists that are given again and again. */
  const kept = new Derivation();
  const isChecking = isDevelopment();

  function down(
    row: Method,
    part: MessagePart,
    value: unknown,
    onloss: OnLoss | undefined,
  ): unknown {
    const { method } = row;
    const name = places.get(method)?.[part];
    if (name === undefined || value === undefined) return value;
    const message = { revision: revision.id, method, part, onloss };
    const lowered = isSame(table.get(name)!, value) ? value : lower(message, name, value);
    if (isChecking && part === "params") assertFits(row, lowered, revision);
    return lowered;
  }

  function lower(message: Message, name: string, value: unknown): unknown {
    return kept.of(value, () => {
      const own = message.part === "result" ? ofThisServer(value) : value;
      const lowered = new Lowering(table, message).walk(name, own);
      if (lowered !== LOST) return lowered;
      const { method, revision: id } = message;
      throw new CapabilityError(`${method} was not sent: ${id} has no way to say it`);
    });
  }

  return {
    down,
    up({ method }, part, value) {
      const name = places.get(method)?.[part];
      return name === undefined || value === undefined ? value : raise(table, name, value);
    },
  };
}

/** Results are checked in any case, before they are sent. */
function assertFits(
  { method, params: validator }: Method,
  params: unknown,
  { id }: Revision,
): void {
  const issues: Trace = [];
  if (validator === undefined || validator(params, issues)) return;
  throw new TypeError(`${method} was not sent: it is not as ${id} has it: ${summarize(issues)}`);
}

/** A result without the name of the server that it was received of, if a handler passes one on. */
function ofThisServer(result: unknown): unknown {
  const meta = isObject(result) ? result["_meta"] : undefined;
  if (!isObject(meta)) return result;
  const others = withoutServerInfo(meta);
  return others === meta ? result : { ...(result as object), _meta: others };
}
