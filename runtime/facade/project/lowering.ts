import { CapabilityError, isObject, type MessagePart, type OnLoss } from "../../internal.js";
import type { Shape } from "./projection-table.js";
import { type Descent, LOST } from "./rule.js";
import { RULES } from "./rules.js";

/** One message on its way to an older revision. */
export interface Message {
  readonly revision: string;
  readonly method: string;
  readonly part: MessagePart;
  readonly onloss: OnLoss | undefined;
}

/** Makes of a message what an older revision has. What stays the same is shared, not copied. */
export class Lowering implements Descent {
  readonly #shapes: ReadonlyMap<string, Shape>;
  readonly #message: Message;
  /** Steps to the value at work. */
  readonly #path: (string | number)[] = [];

  constructor(shapes: ReadonlyMap<string, Shape>, message: Message) {
    this.#shapes = shapes;
    this.#message = message;
  }

  shape(name: string): Shape | undefined {
    return this.#shapes.get(name);
  }

  walk(name: string, value: unknown): unknown {
    const shape = this.#shapes.get(name)!;
    const down = shape.rule && RULES[shape.rule].down;
    return down ? down(value, shape, this) : this.plain(shape, value);
  }

  plain(shape: Shape, value: unknown): unknown {
    if (Array.isArray(value)) return this.#array(shape, value);
    if (isObject(value)) return this.#object(shape, value);
    const kind = value === null ? "null" : typeof value;
    const isAdmitted = shape.kinds?.[kind] !== null && !shape.lacks?.includes(value as string);
    return isAdmitted ? value : this.#cannot(shape, value);
  }

  lose(value: unknown, reason: string, replacement?: unknown): unknown {
    const { revision, method, onloss } = this.#message;
    const path = this.#path.map((step) => `/${escapeStep(String(step))}`).join("");
    const given = onloss?.({ revision, method, path, reason, value, replacement });
    const instead = given === undefined ? replacement : given;
    return instead === undefined ? LOST : instead;
  }

  refuse(reason: string): never {
    const { revision, method, part } = this.#message;
    const where = [part, ...this.#path].join("/");
    throw new CapabilityError(`${method} was not sent: ${where} ${reason} in ${revision}`);
  }

  #cannot(shape: Shape, value: unknown): unknown {
    const reason = "cannot be expressed";
    return shape.isRefused ? this.refuse(reason) : this.lose(value, reason);
  }

  #array(shape: Shape, value: readonly unknown[]): unknown {
    const name = shape.kinds?.["array"];
    if (name === null) return this.#cannot(shape, value);
    if (name !== undefined) return this.walk(name, value);
    const { items } = shape;
    if (items === undefined) return value;
    let result: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const lowered = this.#step(index, items, item);
      if (lowered !== item) result ??= value.slice(0, index);
      if (lowered !== LOST) result?.push(lowered);
    }
    return result ?? value;
  }

  #object(shape: Shape, value: Record<string, unknown>): unknown {
    const { tag, arms, kinds } = shape;
    const name = tag === undefined ? kinds?.["object"] : armOf(shape, value[tag]);
    if (name === null) return this.#cannot(shape, value);
    if (name !== undefined) return this.walk(name, value);
    return arms === undefined ? this.#members(shape, value) : value;
  }

  #members(shape: Shape, value: Record<string, unknown>): unknown {
    const changes = new Changes(value);
    for (const name of shape.strip ?? []) changes.remove(name);
    for (const name of shape.drop ?? []) {
      if (isGiven(value, name)) changes.set(name, this.#drop(name, value[name]));
    }
    for (const name of shape.refuse ?? []) {
      if (isGiven(value, name)) this.refuse(`has ${JSON.stringify(name)}, which does not exist`);
    }
    const { members = {}, each } = shape;
    for (const [name, to] of Object.entries(members)) {
      if (!isGiven(value, name)) continue;
      const lowered = this.#step(name, to, value[name]);
      if (lowered === LOST && shape.requires?.includes(name)) return LOST;
      changes.set(name, lowered);
    }
    if (each !== undefined) {
      for (const name of Object.keys(value)) {
        if (!Object.hasOwn(members, name)) changes.set(name, this.#step(name, each, value[name]));
      }
    }
    return changes.result;
  }

  #drop(name: string, value: unknown): unknown {
    this.#path.push(name);
    const instead = this.lose(value, "does not exist");
    this.#path.pop();
    return instead;
  }

  #step(step: string | number, name: string, value: unknown): unknown {
    this.#path.push(step);
    const result = this.walk(name, value);
    this.#path.pop();
    return result;
  }
}

/** An object, copied as soon as something is different. */
class Changes {
  result: Record<string, unknown>;
  readonly #original: Record<string, unknown>;

  constructor(original: Record<string, unknown>) {
    this.#original = original;
    this.result = original;
  }

  remove(name: string): void {
    if (Object.hasOwn(this.#original, name)) delete this.#copy()[name];
  }

  set(name: string, value: unknown): void {
    if (value === LOST) this.remove(name);
    else if (value !== this.#original[name]) this.#copy()[name] = value;
  }

  #copy(): Record<string, unknown> {
    if (this.result === this.#original) this.result = { ...this.#original };
    return this.result;
  }
}

/** The shape of a union's arm; null when the revision lacks the arm, undefined when nothing is to be done. */
export function armOf({ arms, untagged }: Shape, tag: unknown): string | null | undefined {
  if (tag === undefined) return untagged;
  return typeof tag === "string" && arms && Object.hasOwn(arms, tag) ? arms[tag] : undefined;
}

function isGiven(value: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

function escapeStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}
