import { META, type Method, type Revision } from "../../wire/index.js";
import type {
  MethodShapes,
  PreparedShape,
  Rule,
  ShapeDifference,
  ShapeTable,
  Step,
} from "./step.js";

type Table = ShapeTable<Rule>;
type AnyShape = ShapeDifference<Rule>;

export interface Translation {
  readonly methods: ReadonlyMap<string, MethodShapes>;
  readonly shapes: ReadonlyMap<string, PreparedShape>;
}

/**
 * Composes all steps and the envelope into the tables for one revision.
 *
 * @param steps - the steps from the newest revision to this one
 */
export function translationOf(revision: Revision, steps: readonly Step<Rule>[]): Translation {
  const { methods, shapes } = steps.reduce(compose, envelopeTable(revision, steps));
  const own = Object.entries(methods).filter(([method]) => revision.methods.has(method));
  return { methods: new Map(own), shapes: preparedShapes(shapes) };
}

function preparedShapes(shapes: Table["shapes"]): Translation["shapes"] {
  const prepared = Object.entries(shapes).map(([name, shape]) => {
    const memberEntries = Object.entries(shape.members ?? {});
    const supplyEntries = Object.entries(shape.supply ?? {});
    const differing = differingMembers(shape);
    return [name, { ...shape, memberEntries, supplyEntries, differing }] as const;
  });
  return new Map(prepared);
}

function differingMembers(shape: AnyShape): readonly string[] | undefined {
  const { drop = [], strip = [], refuse = [], members = {}, rule } = shape;
  const { each, tag, kinds } = shape;
  const ruled = rule ? rule.members : [];
  if ((each ?? tag ?? kinds) !== undefined || ruled === undefined) return undefined;
  return [...new Set(["_meta", ...drop, ...strip, ...refuse, ...Object.keys(members), ...ruled])];
}

type EnvelopeTraits = Required<Pick<Step<Rule>, "traits" | "cacheable" | "asking">>;

const META_SHAPES = {
  "request _meta": {
    strip: [META.revision, META.clientInfo, META.clientCapabilities, META.logLevel],
  },
  "notification _meta": { strip: [META.subscription] },
  "result _meta": { strip: [META.serverInfo] },
} satisfies Record<string, AnyShape>;

const QUESTIONS = ["inputResponses", "requestState"];
const FRESHNESS = { ttlMs: 0, cacheScope: "private" };

/**
 * Creates the table for the members that differ only by lifecycle. Members that the newest revision has and this one
 * lacks are left out without counting as a loss, and are added with their defaults to messages of this revision.
 *
 * @param steps - the steps from the newest revision to this one
 */
function envelopeTable(revision: Revision, steps: readonly Step<Rule>[]): Table {
  const lifecycle: EnvelopeTraits = {
    traits: Object.assign({}, ...steps.map(({ traits }) => traits).toReversed()) as object,
    cacheable: steps.flatMap(({ cacheable = [] }) => cacheable),
    asking: steps.flatMap(({ asking = [] }) => asking),
  };
  const methods: Record<string, MethodShapes> = {};
  const shapes: Record<string, AnyShape> = { ...META_SHAPES };
  for (const row of revision.methods.values()) {
    // Requests inside results, and the answers to them, have no envelope of their own.
    const isEmbedded = lifecycle.traits.serverRequests === "embedded" && row.from === "server";
    if (isEmbedded && row.kind === "request") continue;
    const params = paramsShape(row, revision, lifecycle);
    const result = row.kind === "request" ? resultShape(row, revision, lifecycle) : {};
    const names = { params: `${row.method} params`, result: `${row.method} result` };
    shapes[names.params] = params;
    shapes[names.result] = result;
    methods[row.method] = {
      ...(filled(params) && { params: names.params }),
      ...(filled(result) && { result: names.result }),
    };
  }
  return { methods, shapes };
}

function paramsShape(row: Method, { traits }: Revision, newest: EnvelopeTraits): AnyShape {
  return {
    ...(newest.asking.includes(row.method) && { strip: QUESTIONS }),
    ...(onlyNewestDescribesItself(newest, traits) && { members: { _meta: `${row.kind} _meta` } }),
  };
}

function resultShape(row: Method, { traits }: Revision, newest: EnvelopeTraits): AnyShape {
  const supply = {
    ...(newest.traits.resultType && !traits.resultType && { resultType: "complete" }),
    ...(newest.cacheable.includes(row.method) && FRESHNESS),
  };
  return {
    ...(filled(supply) && { strip: Object.keys(supply), supply }),
    ...(onlyNewestDescribesItself(newest, traits) && { members: { _meta: "result _meta" } }),
  };
}

function onlyNewestDescribesItself(newest: EnvelopeTraits, own: Revision["traits"]): boolean {
  return newest.traits.lifecycle === "discover" && own.lifecycle !== "discover";
}

type Name = string | undefined;
/**
 * The name of the shape for one kind of value. Null if the older revision lacks such values; undefined if they do not
 * change.
 */
type Arm = string | null | undefined;
/** A shape, and the name to join if the shape does not distinguish the kind of value. */
type Place = readonly [shape: AnyShape, name: Name];

/**
 * Composes two consecutive tables into one: `first` starts at the newest revision, and `second` starts at the revision
 * that `first` leads to.
 */
function compose(first: Table, second: Table): Table {
  const tables: Tables = {
    first: first.shapes,
    second: second.shapes,
    shapes: {},
    names: new Map(),
  };
  const methods = new Set([...Object.keys(first.methods), ...Object.keys(second.methods)]);
  const composed = [...methods].map((method) => {
    const [one, two] = [first.methods[method] ?? {}, second.methods[method] ?? {}];
    const parts: MethodShapes = defined({
      params: join(tables, one.params, two.params),
      result: join(tables, one.result, two.result),
    });
    return [method, parts] as const;
  });
  return { methods: Object.fromEntries(composed), shapes: tables.shapes };
}

interface Tables {
  readonly first: Table["shapes"];
  readonly second: Table["shapes"];
  readonly shapes: Record<string, AnyShape>;
  /** The names of pairs that have already been joined, which end the recursion for recursive types. */
  readonly names: Map<string, string>;
}

function join(tables: Tables, one: Name, two: Name): Name {
  if (one === undefined && two === undefined) return undefined;
  const key = JSON.stringify([one, two]);
  const known = tables.names.get(key);
  if (known !== undefined) return known;
  const name = freeName(tables, (one ?? two)!);
  tables.names.set(key, name);
  tables.shapes[name] = {};
  tables.shapes[name] = merge(tables, one, two);
  return name;
}

function freeName(tables: Tables, name: string): string {
  let free = name;
  for (let number = 2; Object.hasOwn(tables.shapes, free); number += 1) free = `${name} ${number}`;
  return free;
}

function merge(tables: Tables, one: Name, two: Name): AnyShape {
  const a = one === undefined ? {} : tables.first[one]!;
  const b = two === undefined ? {} : tables.second[two]!;
  const kinds = {
    ...a.kinds,
    ...b.kinds,
    ...mergeKind(tables, "array", [a, a.items && one], [b, b.items && two]),
    ...mergeKind(tables, "object", [a, one], [b, two]),
  };
  const hasArray = a.kinds?.["array"] !== undefined || b.kinds?.["array"] !== undefined;
  return defined({
    rule: onlyRule(a.rule, b.rule),
    isRefused: a.isRefused ?? b.isRefused,
    lacks: union(a.lacks, b.lacks),
    kinds: filled(kinds),
    items: hasArray ? undefined : join(tables, a.items, b.items),
    ...(kinds["object"] === undefined && mergeObjects(tables, a, b, one, two)),
  });
}

function mergeKind(
  tables: Tables,
  kind: "array" | "object",
  [a, one]: Place,
  [b, two]: Place,
): Record<string, string | null> {
  const [first, second] = [a.kinds?.[kind], b.kinds?.[kind]];
  if (first === undefined && second === undefined) return {};
  const arm = joinArm(
    tables,
    first === undefined ? one : first,
    second === undefined ? two : second,
  );
  return arm === undefined ? {} : { [kind]: arm };
}

function mergeObjects(tables: Tables, a: AnyShape, b: AnyShape, one: Name, two: Name): AnyShape {
  const tag = a.tag ?? b.tag;
  return tag === undefined
    ? mergeMembers(tables, a, b)
    : mergeArms(tables, tag, side(a, tag, one), side(b, tag, two));
}

function mergeArms(tables: Tables, tag: string, a: Side, b: Side): AnyShape {
  const names = new Set([...Object.keys(a.arms), ...Object.keys(b.arms)]);
  const arms = [...names].map(
    (name) => [name, joinArm(tables, armOf(a, name), armOf(b, name))] as const,
  );
  return defined({
    tag,
    arms: filled(Object.fromEntries(arms)) as Record<string, string | null> | undefined,
    untagged: joinArm(tables, a.untagged, b.untagged),
    others: join(tables, a.others, b.others),
  });
}

function mergeMembers(tables: Tables, a: AnyShape, b: AnyShape): AnyShape {
  const [gone, goneLater] = [lost(a), lost(b)];
  const later = (names: readonly string[] = []): readonly string[] =>
    names.filter((name) => !gone.has(name));
  const names = union(Object.keys(a.members ?? {}), Object.keys(b.members ?? {})) ?? [];
  const left = names.filter((name) => !gone.has(name) && !goneLater.has(name));
  const members = left.map(
    (name) => [name, join(tables, a.members?.[name], b.members?.[name])!] as const,
  );
  const arms = union(Object.keys(a.arms ?? {}), Object.keys(b.arms ?? {})) ?? [];
  const joined = arms.map(
    (name) => [name, joinArm(tables, a.arms?.[name], b.arms?.[name])!] as const,
  );
  return defined({
    drop: union(a.drop, later(b.drop)),
    strip: union(a.strip, later(b.strip)),
    refuse: union(a.refuse, later(b.refuse)),
    supply: filled({ ...a.supply, ...b.supply }),
    members: filled(Object.fromEntries(members)),
    requires: union(a.requires, b.requires)?.filter((name) => left.includes(name)),
    each: join(tables, a.each, b.each),
    arms: filled(Object.fromEntries(joined)),
  });
}

function joinArm(tables: Tables, one: Arm, two: Arm): Arm {
  return one === null || two === null ? null : join(tables, one, two);
}

/** The arms of a tagged union in one table. If the table does not distinguish them, one shape applies to all arms. */
interface Side {
  readonly arms: Readonly<Record<string, string | null>>;
  readonly untagged: Arm;
  readonly others: Name;
}

function side(shape: AnyShape, tag: string, name: Name): Side {
  if (shape.tag !== tag) return { arms: {}, untagged: name, others: name };
  const { arms = {}, untagged, others } = shape;
  return { arms, untagged: untagged === undefined ? others : untagged, others };
}

function armOf({ arms, others }: Side, name: string): Arm {
  return Object.hasOwn(arms, name) ? arms[name] : others;
}

function onlyRule(one: Rule | undefined, two: Rule | undefined): Rule | undefined {
  if (one && two && one !== two) throw new TypeError("Two rules apply to the same place");
  return one ?? two;
}

function lost({ drop = [], strip = [], refuse = [] }: AnyShape): ReadonlySet<string> {
  return new Set([...drop, ...strip, ...refuse]);
}

function union(
  one: readonly string[] = [],
  two: readonly string[] = [],
): readonly string[] | undefined {
  const all = [...new Set([...one, ...two])];
  return all.length > 0 ? all : undefined;
}

function filled<Members extends object>(members: Members): Members | undefined {
  return Object.keys(members).length > 0 ? members : undefined;
}

function defined<Members extends object>(members: Members): Defined<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Members>;
}

type Defined<Members> = { [Member in keyof Members]: Exclude<Members[Member], undefined> };
