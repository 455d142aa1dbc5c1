import { isObject } from "../validation/tests.js";
import type { Condition, Method, Revision, Side } from "./revision.js";

/** Capabilities that both sides have declared. */
export interface DeclaredCapabilities {
  readonly client: unknown;
  readonly server: unknown;
}

/**
 * Returns a capability that a message needs and its owner has not declared. A path begins with the
 * owner: `client`, `server`, or `sender` and `receiver`.
 */
export function missingCapability(
  { capability }: Method,
  sender: Side,
  declared: DeclaredCapabilities,
): string | undefined {
  const isMissing = capability !== undefined && !isDeclared(capability, sender, declared);
  return isMissing ? resolvePath(capability, sender).join(".") : undefined;
}

/**
 * Returns the first capability that the parameters of a message need and its owner has not
 * declared.
 */
export function missingForParams(
  { conditions }: Method,
  params: unknown,
  sender: Side,
  declared: DeclaredCapabilities,
): string | undefined {
  const open = conditions && unmetConditions(conditions, params, sender, declared);
  const condition = open?.find(({ unmet }) => unmet !== "drop");
  return condition && resolvePath(condition.capability, sender).join(".");
}

/** Conditions of a message whose capability is not declared, for any parameters. */
export function openConditions(
  { conditions = [] }: Method,
  sender: Side,
  declared: DeclaredCapabilities,
): readonly Condition[] {
  return conditions.filter((condition) => !isMet(condition, sender, declared));
}

/**
 * True if parameters have a member to which a condition applies, or a condition applies to an
 * absent member.
 */
export function concernsParams(conditions: readonly Condition[]): (params: unknown) => boolean {
  if (conditions.some(({ orAbsent }) => orAbsent)) return () => true;
  const members = conditions.map(({ member }) => member.split(".")[0]!);
  return (params) => {
    const given = params as Record<string, unknown> | undefined;
    for (const member of members) if (given?.[member] !== undefined) return true;
    return false;
  };
}

/** Conditions that apply to these parameters and whose capability is not declared. */
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
 * Returns the parameters without the members that have no effect because their capability is not
 * declared.
 */
export function dropUndeclared(
  { conditions }: Method,
  params: unknown,
  sender: Side,
  declared: DeclaredCapabilities,
): unknown {
  if (conditions === undefined) return params;
  const unmet = unmetConditions(conditions, params, sender, declared);
  return withoutMembers(params, unmet.filter(isDropped));
}

/**
 * Parameters that need a capability which the receiver has not declared. Computed before the first
 * message.
 */
export interface UndeclaredParams {
  /** Members that may not be present: the message is refused. */
  readonly refused: readonly Condition[];
  /** Members that are ignored. */
  readonly dropped: readonly Condition[];
}

/** @returns undefined if no member needs an undeclared capability */
export function undeclaredBy(
  side: Side,
  { conditions = [] }: Method,
  capabilities: unknown,
): UndeclaredParams | undefined {
  const peer = otherSide(side);
  const declared = declaredBy(side, capabilities);
  const open = conditions.filter((condition) => !isMet(condition, peer, declared));
  const isOwn = ({ capability }: Condition): boolean => ownerOf(capability, peer) === side;
  const refused = open.filter((one) => one.level !== "should" && !isDropped(one) && isOwn(one));
  const dropped = open.filter(isDropped);
  return refused.length > 0 || dropped.length > 0 ? { refused, dropped } : undefined;
}

/** Returns the first member that may not be present. */
export function refusedIn({ refused }: UndeclaredParams, params: unknown): Condition | undefined {
  return refused.find((condition) => holds(condition, params));
}

/** Returns the parameters without the members that have no effect. */
export function withoutDropped({ dropped }: UndeclaredParams, params: unknown): unknown {
  return withoutMembers(
    params,
    dropped.filter((condition) => holds(condition, params)),
  );
}

function isDropped({ unmet }: Condition): boolean {
  return unmet === "drop";
}

function withoutMembers(params: unknown, conditions: readonly Condition[]): unknown {
  return conditions.reduce((rest, { member }) => withoutMember(rest, member.split(".")), params);
}

/** True if the side that the path names has declared the capability. */
export function isDeclared(path: string, sender: Side, declared: DeclaredCapabilities): boolean {
  const value = valueAt(declared, resolvePath(path, sender));
  return value !== undefined && value !== null && value !== false;
}

export function otherSide(side: Side): Side {
  return side === "client" ? "server" : "client";
}

/** Capabilities known before the other side has declared any. */
export function declaredBy(side: Side, capabilities: unknown): DeclaredCapabilities {
  return { client: {}, server: {}, [side]: capabilities };
}

/** Side whose capability a path names. */
export function ownerOf(path: string, sender: Side): string {
  return resolvePath(path, sender)[0]!;
}

/** Adds what `more` declares; if both declare something, `more` wins. Neither is changed. */
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
  const value = member.includes(".") ? valueAt(params, member.split(".")) : ownOf(params, member);
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

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(ownOf, value);
}

function ownOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * True if anything in a revision depends on a capability.
 * @param path - begins with its owner: `client.elicitation.url`
 */
export function namesCapability({ methods }: Revision, path: string): boolean {
  for (const { capability, conditions = [] } of methods.values()) {
    if (capability === path || conditions.some((one) => one.capability === path)) return true;
  }
  return false;
}
