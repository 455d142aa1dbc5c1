import type { Comparison } from "./comparison.js";
import {
  type Draft,
  isNotEmpty,
  referencesOf,
  type MethodShapes,
  type RevisionStep,
  type ShapeDifference,
} from "./draft.js";

/** Removes drafts that state no difference, and names the others. */
export function finish(
  { drafts, facts }: Pick<Comparison, "drafts" | "facts">,
  methods: Readonly<Record<string, MethodShapes>>,
): Pick<RevisionStep["step"], "methods" | "shapes"> {
  const relevant = relevantIds(drafts);
  const relevantParts = Object.entries(methods).map(([method, ids]) => [
    method,
    keepParts(ids, relevant),
  ]);
  const kept = Object.fromEntries(
    relevantParts.filter(([, parts]) => Object.keys(parts!).length > 0),
  ) as Record<string, MethodShapes>;
  const names = namesOf(reachable(drafts, Object.values(kept), relevant), drafts);
  const nameOf = (id: string): string => names.get(id)!;
  const shapes = [...names].map(([id, name]) => {
    const draft = drafts.get(id)!;
    const shape = shapeOf(draft, (to) => (relevant.has(to) ? nameOf(to) : undefined));
    if (shape.rule !== undefined) facts.use(draft.place);
    return [name, shape];
  });
  return {
    methods: mapValues(kept, (parts) => mapValues(parts, nameOf) as MethodShapes),
    shapes: Object.fromEntries(shapes.toSorted(([a], [b]) => (a! < b! ? -1 : 1))) as Record<
      string,
      ShapeDifference
    >,
  };
}

function relevantIds(drafts: ReadonlyMap<string, Draft>): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  for (const draft of drafts.values()) {
    for (const id of referencesOf(draft)) users.set(id, [...(users.get(id) ?? []), draft.id]);
  }
  const open = [...drafts.values()].filter(isNotEmpty).map(({ id }) => id);
  const relevant = new Set(open);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const user of users.get(id) ?? []) {
      if (relevant.has(user)) continue;
      relevant.add(user);
      open.push(user);
    }
  }
  return relevant;
}

function keepParts(ids: MethodShapes, relevant: ReadonlySet<string>): MethodShapes {
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => relevant.has(id as string)));
}

function reachable(
  drafts: ReadonlyMap<string, Draft>,
  methods: readonly MethodShapes[],
  relevant: ReadonlySet<string>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const open = methods.flatMap((parts) => Object.values(parts) as string[]);
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...referencesOf(drafts.get(id)!).filter((to) => relevant.has(to)));
  }
  return found;
}

/**
 * Returns unique names for drafts. A place has several drafts if it differs in several ways, depending on how it is
 * reached.
 */
function namesOf(
  ids: ReadonlySet<string>,
  drafts: ReadonlyMap<string, Draft>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const id of ids) {
    const { place } = drafts.get(id)!;
    let name = place;
    for (let number = 2; taken.has(name); number += 1) name = `${place} ${number}`;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

type NameOf = (id: string) => string | undefined;

function shapeOf(draft: Draft, nameOf: NameOf): ShapeDifference {
  const { drop, strip, refuse, lacks, tag, untagged, isIndivisible, fact } = draft;
  const members = named(draft.members, nameOf);
  const kinds = named(draft.kinds, nameOf);
  const arms = named(draft.arms, nameOf);
  const each = draft.each && nameOf(draft.each);
  const items = draft.items && nameOf(draft.items);
  const requires = draft.requires.filter((name) => Object.hasOwn(members, name));
  const hasRule = fact !== undefined && (fact.extent === "around" || draft.needsRule);
  const other = untagged && (nameOf(untagged) ?? undefined);
  return {
    ...(hasRule && { rule: fact.rule }),
    ...(isIndivisible && { isRefused: true }),
    ...list("drop", drop),
    ...list("strip", strip),
    ...list("refuse", refuse),
    ...record("members", members),
    ...list("requires", requires),
    ...(each && { each }),
    ...(items && { items }),
    ...record("kinds", kinds),
    ...list("lacks", lacks),
    ...(tag !== undefined && Object.keys(arms).length > 0 && { tag }),
    ...record("arms", arms),
    ...((other || untagged === null) && { untagged: other ?? null }),
  };
}

function named<Value extends string | null>(
  references: Readonly<Record<string, Value>>,
  nameOf: NameOf,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(references).flatMap(([key, id]) => {
      const name = id === null ? null : nameOf(id);
      return name === undefined ? [] : [[key, name]];
    }),
  ) as Record<string, Value>;
}

function list(key: keyof ShapeDifference, items: readonly string[]): ShapeDifference {
  return items.length > 0 ? { [key]: items } : {};
}

function record(key: keyof ShapeDifference, members: object): ShapeDifference {
  return Object.keys(members).length > 0 ? { [key]: members } : {};
}

function mapValues<From, To>(
  members: Readonly<Record<string, From>> | object,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(members).map(([key, value]) => [key, map(value as From)]),
  );
}
