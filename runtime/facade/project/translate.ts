import { CapabilityError, isObject, type MessagePart, type OnLoss } from "../../wire/index.js";
import type { Translation } from "./composition.js";
import { type Descent, LOST, type PreparedShape } from "./step.js";

/** Returns true if a message passes to the older revision unchanged, or false if it needs a closer look. */
export function isSame({ differing }: PreparedShape, value: unknown): boolean {
  return differing !== undefined && isObject(value) && !differing.some((name) => name in value);
}

interface Message {
  readonly revision: string;
  readonly method: string;
  readonly part: MessagePart;
  readonly onloss: OnLoss | undefined;
}

/** Translates one message into an older revision. Values that stay the same are shared, not copied. */
export class Lowering implements Descent {
  readonly #translation: Translation;
  readonly #message: Message;
  readonly #path: (string | number)[] = [];

  constructor(translation: Translation, message: Message) {
    this.#translation = translation;
    this.#message = message;
  }

  shape(name: string): PreparedShape | undefined {
    return this.#translation.shapes.get(name);
  }

  nameOf(method: string, part: MessagePart): string | undefined {
    return this.#translation.methods.get(method)?.[part];
  }

  walk(name: string, value: unknown): unknown {
    const shape = this.#translation.shapes.get(name)!;
    const down = shape.rule?.down;
    return down ? down(value, shape, this) : this.plain(shape, value);
  }

  plain(shape: PreparedShape, value: unknown): unknown {
    if (Array.isArray(value)) return this.#array(shape, value);
    if (isObject(value)) return this.#object(shape, value);
    const kind = value === null ? "null" : typeof value;
    const isAccepted = shape.kinds?.[kind] !== null && !shape.lacks?.includes(value as string);
    return isAccepted ? value : this.#cannot(shape, value);
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

  #cannot(shape: PreparedShape, value: unknown): unknown {
    const reason = "cannot be expressed";
    return shape.isRefused ? this.refuse(reason) : this.lose(value, reason);
  }

  #array(shape: PreparedShape, value: readonly unknown[]): unknown {
    const name = shape.kinds?.["array"];
    if (name === null) return this.#cannot(shape, value);
    if (name !== undefined) return this.walk(name, value);
    const { items } = shape;
    if (items === undefined) return value;
    let result: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const item = value[index];
      const lowered = this.#step(index, items, item);
      if (lowered !== item) result ??= value.slice(0, index);
      if (lowered !== LOST) result?.push(lowered);
    }
    return result ?? value;
  }

  #object(shape: PreparedShape, value: Record<string, unknown>): unknown {
    const { tag, arms, kinds } = shape;
    const name = tag === undefined ? kinds?.["object"] : armOf(shape, value[tag]);
    if (name === null) return this.#cannot(shape, value);
    if (name !== undefined) return this.walk(name, value);
    return arms === undefined ? this.#members(shape, value) : value;
  }

  #members(shape: PreparedShape, value: Record<string, unknown>): unknown {
    const { strip = NONE, drop = NONE, refuse = NONE, memberEntries, each } = shape;
    let changes: Map<string, unknown> | undefined;
    for (const name of strip) {
      if (Object.hasOwn(value, name)) (changes ??= new Map()).set(name, LOST);
    }
    for (const name of drop) {
      if (isGiven(value, name)) (changes ??= new Map()).set(name, this.#drop(name, value[name]));
    }
    for (const name of refuse) {
      if (isGiven(value, name)) this.refuse(`has ${JSON.stringify(name)}, which does not exist`);
    }
    for (const [name, to] of memberEntries) {
      if (!isGiven(value, name)) continue;
      const lowered = this.#step(name, to, value[name]);
      if (lowered === LOST && shape.requires?.includes(name)) return LOST;
      if (lowered !== value[name]) (changes ??= new Map()).set(name, lowered);
    }
    if (each !== undefined) {
      for (const name of Object.keys(value)) {
        if (shape.members && Object.hasOwn(shape.members, name)) continue;
        const lowered = this.#step(name, each, value[name]);
        if (lowered !== value[name]) (changes ??= new Map()).set(name, lowered);
      }
    }
    return changes ? withChanges(value, changes) : value;
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

const NONE: readonly string[] = [];

/**
 * Returns a copy with the changes applied. Lost members are never added in the first place, because deleting members
 * from an object makes it slow.
 */
function withChanges(
  value: Record<string, unknown>,
  changes: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = changes.has(name) ? changes.get(name) : value[name];
    if (member !== LOST) setOwn(copy, name, member);
  }
  return copy;
}

/**
 * Returns the shape of a union's alternative; null if the revision lacks the alternative, undefined if nothing changes.
 */
function armOf(shape: PreparedShape, tag: unknown): string | null | undefined {
  const { arms, untagged, others } = shape;
  if (tag === undefined) return untagged;
  return typeof tag === "string" && arms && Object.hasOwn(arms, tag) ? arms[tag] : others;
}

function isGiven(value: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

function escapeStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

type Shapes = Translation["shapes"];

/** Translates a value of an older revision into the newest. Values that stay the same are shared, not copied. */
export function raise(shapes: Shapes, name: string, value: unknown): unknown {
  const shape = shapes.get(name)!;
  const raised = raisePlain(shapes, shape, value);
  const up = shape.rule?.up;
  return up ? up(raised) : raised;
}

function raisePlain(shapes: Shapes, shape: PreparedShape, value: unknown): unknown {
  const { kinds, items, tag } = shape;
  if (Array.isArray(value)) {
    const name = kinds?.["array"] ?? items;
    if (typeof name !== "string") return value;
    return name === items ? raiseItems(shapes, items, value) : raise(shapes, name, value);
  }
  if (!isObject(value)) return value;
  const name = tag === undefined ? kinds?.["object"] : armOf(shape, value[tag]);
  if (typeof name === "string") return raise(shapes, name, value);
  return raiseMembers(shapes, shape, value);
}

function raiseItems(shapes: Shapes, name: string, value: readonly unknown[]): readonly unknown[] {
  let items: unknown[] | undefined;
  for (let index = 0; index < value.length; index++) {
    const item = raise(shapes, name, value[index]);
    if (item !== value[index]) items ??= value.slice();
    if (items) items[index] = item;
  }
  return items ?? value;
}

function raiseMembers(
  shapes: Shapes,
  shape: PreparedShape,
  value: Record<string, unknown>,
): unknown {
  const { supplyEntries, memberEntries, each } = shape;
  let copy: Record<string, unknown> | undefined;
  for (const [name, member] of supplyEntries) {
    if (!Object.hasOwn(value, name)) (copy ??= {})[name] = member;
  }
  if (copy) copyMembers(value, copy);
  for (const [name, to] of memberEntries) {
    if (!Object.hasOwn(value, name)) continue;
    const member = raise(shapes, to, value[name]);
    if (member !== value[name]) (copy ??= copyMembers(value))[name] = member;
  }
  if (each !== undefined) {
    for (const name of Object.keys(value)) {
      if (shape.members && Object.hasOwn(shape.members, name)) continue;
      const member = raise(shapes, each, value[name]);
      if (member !== value[name]) setOwn((copy ??= copyMembers(value)), name, member);
    }
  }
  return copy ?? value;
}

/** Copies members one by one: in V8, spreading and then adding members takes many times as long. */
function copyMembers(
  value: Record<string, unknown>,
  copy: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const name of Object.keys(value)) setOwn(copy, name, value[name]);
  return copy;
}

/** Sets an own member, even one named `__proto__`. */
function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, writable: true });
}
