import { valueAt } from "../validation/issues.js";
import { isObject } from "../validation/tests.js";
import type { Condition, Method, Revision, Side } from "./revision.js";

export interface DeclaredCapabilities {
  readonly client: unknown;
  readonly server: unknown;
}

/**
 * Returns the path of the capability that a message requires, if the side that must declare it has not done so;
 * otherwise undefined. The path begins with that side: `client` or `server`. In method tables, it may also begin with
 * `sender` or `receiver`.
 */
export function missingCapability(
  { capability }: Method,
  sender: Side,
  declared: DeclaredCapabilities,
): string | undefined {
  const isMissing = capability !== undefined && !isDeclared(capability, sender, declared);
  return isMissing ? resolvePath(capability, sender).join(".") : undefined;
}

/** Returns the path of the first capability whose absence requires a message's parameters to be refused. */
export function missingForParams(
  row: Method,
  params: unknown,
  sender: Side,
  declared: DeclaredCapabilities,
): string | undefined {
  const condition = refusedIn(openConditions(row, sender, declared), params);
  return condition && resolvePath(condition.capability, sender).join(".");
}

export function openConditions(
  { conditions = [] }: Method,
  sender: Side,
  declared: DeclaredCapabilities,
): readonly Condition[] {
  return conditions.filter((condition) => !isMet(condition, sender, declared));
}

/**
 * Returns a fast test of parameters that is false only if none of the conditions can apply. It only examines which
 * outermost members are present.
 */
export function concernsParams(
  conditions: readonly Pick<Condition, "member" | "orAbsent">[],
): (params: unknown) => boolean {
  if (conditions.some(({ orAbsent }) => orAbsent)) return () => true;
  const members = conditions.map(({ member }) => member.split(".")[0]!);
  return (params) => {
    const given = params as Record<string, unknown> | undefined;
    for (const member of members) if (given?.[member] !== undefined) return true;
    return false;
  };
}

/** Returns the conditions that apply to these parameters and that the declared capabilities do not meet. */
export function unmetConditions(
  conditions: readonly Condition[],
  params: unknown,
  sender: Side,
  declared: DeclaredCapabilities,
): Condition[] {
  return conditions.filter(
    (condition) => holds(condition, params) && !isMet(condition, sender, declared),
  );
}

/**
 * Returns the conditions under which a received message is refused, or one of its members is ignored, because this side
 * does not declare the capability.
 */
export function undeclaredBy(side: Side, row: Method, capabilities: unknown): readonly Condition[] {
  const peer = otherSide(side);
  const isOwn = ({ capability, level }: Condition): boolean =>
    level !== "should" && ownerOf(capability, peer) === side;
  return openConditions(row, peer, declaredBy(side, capabilities)).filter(
    (one) => isDropped(one) || isOwn(one),
  );
}

export function refusedIn(open: readonly Condition[], params: unknown): Condition | undefined {
  return open.find((condition) => !isDropped(condition) && holds(condition, params));
}

export function withoutDropped(open: readonly Condition[], params: unknown): unknown {
  const dropped = open.filter((condition) => isDropped(condition) && holds(condition, params));
  return dropped.reduce((rest, { member }) => withoutMember(rest, member.split(".")), params);
}

export function isDropped({ unmet }: Condition): boolean {
  return unmet === "drop";
}

/** True if the side named in the path has declared the capability, with any value except `null` and `false`. */
export function isDeclared(path: string, sender: Side, declared: DeclaredCapabilities): boolean {
  const value = valueAt(declared, resolvePath(path, sender));
  return value !== undefined && value !== null && value !== false;
}

export function otherSide(side: Side): Side {
  return side === "client" ? "server" : "client";
}

export function declaredBy(side: Side, capabilities: unknown): DeclaredCapabilities {
  return { client: {}, server: {}, [side]: capabilities };
}

export function ownerOf(path: string, sender: Side): string {
  return resolvePath(path, sender)[0]!;
}

/** Merges two sets of capabilities, including their members. `more` takes precedence, and neither set is changed. */
export function mergeCapabilities(
  base: Record<string, unknown>,
  more: object,
): Record<string, unknown> {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(more)) {
    const before = merged.get(key);
    if (value === undefined) continue;
    merged.set(key, isObject(before) && isObject(value) ? mergeCapabilities(before, value) : value);
  }
  return Object.fromEntries(merged);
}

function withoutMember(value: unknown, [key, ...path]: readonly string[]): unknown {
  if (!isObject(value) || key === undefined) return value;
  const { [key]: member, ...rest } = value;
  return path.length === 0 ? rest : { ...value, [key]: withoutMember(member, path) };
}

function holds({ member, in: values, orAbsent = false }: Condition, params: unknown): boolean {
  const value = valueAt(params, member.split("."));
  if (value === undefined) return orAbsent;
  return values === undefined || values.includes(value as string);
}

function isMet(
  { capability, orEmpty }: Condition,
  sender: Side,
  declared: DeclaredCapabilities,
): boolean {
  if (isDeclared(capability, sender, declared)) return true;
  if (orEmpty === undefined) return false;
  const value = valueAt(declared, resolvePath(orEmpty, sender));
  return isObject(value) && Object.keys(value).length === 0;
}

function resolvePath(path: string, sender: Side): string[] {
  const [owner = "", ...rest] = path.split(".");
  if (owner === "sender") return [sender, ...rest];
  return [owner === "receiver" ? otherSide(sender) : owner, ...rest];
}

/**
 * True if a message in the revision, or a condition on its parameters, requires exactly this capability.
 *
 * @param path - begins with the side that declares the capability, as in `client.elicitation.url`
 */
export function namesCapability({ methods }: Revision, path: string): boolean {
  for (const { capability, conditions = [] } of methods.values()) {
    if (capability === path || conditions.some((one) => one.capability === path)) return true;
  }
  return false;
}
