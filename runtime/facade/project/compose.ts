import type { Rule } from "./rule.js";
import type { MethodShapes, Shape, ShapeTable } from "./step.js";

type Table = ShapeTable<Rule>;
type AnyShape = Shape<Rule>;
type Name = string | undefined;
/** Name of a shape, null for values that are lacking, undefined for values that stay as they are. */
type Arm = string | null | undefined;

/** Composes two tables in a row into one: `first` begins at the newest revision, `second` continues from its end. */
export function compose(first: Table, second: Table): Table {
  const composition = new Composition(first.shapes, second.shapes);
  const methods = new Set([...Object.keys(first.methods), ...Object.keys(second.methods)]);
  const composed = [...methods].map((method) => {
    const [one, two] = [first.methods[method] ?? {}, second.methods[method] ?? {}];
    const parts: MethodShapes = defined({
      params: composition.join(one.params, two.params),
      result: composition.join(one.result, two.result),
    });
    return [method, parts] as const;
  });
  return { methods: Object.fromEntries(composed), shapes: composition.shapes };
}

/** Pairs the shapes of two tables that describe the same values. */
class Composition {
  readonly shapes: Record<string, AnyShape> = {};
  readonly #first: Table["shapes"];
  readonly #second: Table["shapes"];
  /** Names of pairs that were joined before, which ends the recursion of recursive types. */
  readonly #names = new Map<string, string>();

  constructor(first: Table["shapes"], second: Table["shapes"]) {
    this.#first = first;
    this.#second = second;
  }

  /** Name of the shape that does what two shapes do, one after the other; undefined when both are. */
  join(one: Name, two: Name): Name {
    if (one === undefined && two === undefined) return undefined;
    const key = JSON.stringify([one, two]);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = this.#free((one ?? two)!);
    this.#names.set(key, name);
    this.shapes[name] = {};
    this.shapes[name] = this.#merge(one, two);
    return name;
  }

  #free(name: string): string {
    let free = name;
    for (let number = 2; Object.hasOwn(this.shapes, free); number += 1) free = `${name} ${number}`;
    return free;
  }

  #merge(one: Name, two: Name): AnyShape {
    const a = one === undefined ? {} : this.#first[one]!;
    const b = two === undefined ? {} : this.#second[two]!;
    const kinds = {
      ...a.kinds,
      ...b.kinds,
      ...this.#array(a, b, one, two),
      ...this.#object(a, b, one, two),
    };
    const hasArray = a.kinds?.["array"] !== undefined || b.kinds?.["array"] !== undefined;
    return defined({
      rule: onlyRule(a.rule, b.rule),
      isRefused: a.isRefused ?? b.isRefused,
      lacks: union(a.lacks, b.lacks),
      kinds: filled(kinds),
      items: hasArray ? undefined : this.join(a.items, b.items),
      ...(kinds["object"] === undefined && this.#objects(a, b, one, two)),
    });
  }

  /** Shape of arrays, where one of the two has them as one kind of several. */
  #array(a: AnyShape, b: AnyShape, one: Name, two: Name): Record<string, string | null> {
    const [first, second] = [a.kinds?.["array"], b.kinds?.["array"]];
    if (first === undefined && second === undefined) return {};
    const array = this.#arm(
      first === undefined ? a.items && one : first,
      second === undefined ? b.items && two : second,
    );
    return array === undefined ? {} : { array };
  }

  /** Shape of objects, where one of the two has them as one kind of several. */
  #object(a: AnyShape, b: AnyShape, one: Name, two: Name): Record<string, string | null> {
    const [first, second] = [a.kinds?.["object"], b.kinds?.["object"]];
    if (first === undefined && second === undefined) return {};
    const object = this.#arm(
      first === undefined ? one : first,
      second === undefined ? two : second,
    );
    return object === undefined ? {} : { object };
  }

  #objects(a: AnyShape, b: AnyShape, one: Name, two: Name): AnyShape {
    const tag = a.tag ?? b.tag;
    return tag === undefined
      ? this.#members(a, b)
      : this.#arms(tag, side(a, tag, one), side(b, tag, two));
  }

  #arms(tag: string, a: Side, b: Side): AnyShape {
    const names = new Set([...Object.keys(a.arms), ...Object.keys(b.arms)]);
    const arms = [...names].map(
      (name) => [name, this.#arm(armOf(a, name), armOf(b, name))] as const,
    );
    return defined({
      tag,
      arms: filled(Object.fromEntries(arms)) as Record<string, string | null> | undefined,
      untagged: this.#arm(a.untagged, b.untagged),
      others: this.join(a.others, b.others),
    });
  }

  #members(a: AnyShape, b: AnyShape): AnyShape {
    const [gone, gonelater] = [lost(a), lost(b)];
    const later = (names: readonly string[] = []): readonly string[] =>
      names.filter((name) => !gone.has(name));
    const names = union(Object.keys(a.members ?? {}), Object.keys(b.members ?? {})) ?? [];
    const left = names.filter((name) => !gone.has(name) && !gonelater.has(name));
    const members = left.map(
      (name) => [name, this.join(a.members?.[name], b.members?.[name])!] as const,
    );
    const arms = union(Object.keys(a.arms ?? {}), Object.keys(b.arms ?? {})) ?? [];
    const joined = arms.map((name) => [name, this.#arm(a.arms?.[name], b.arms?.[name])!] as const);
    return defined({
      drop: union(a.drop, later(b.drop)),
      strip: union(a.strip, later(b.strip)),
      refuse: union(a.refuse, later(b.refuse)),
      supply: filled({ ...a.supply, ...b.supply }),
      members: filled(Object.fromEntries(members)),
      requires: union(a.requires, b.requires)?.filter((name) => left.includes(name)),
      each: this.join(a.each, b.each),
      arms: filled(Object.fromEntries(joined)),
    });
  }

  #arm(one: Arm, two: Arm): Arm {
    return one === null || two === null ? null : this.join(one, two);
  }
}

/** Objects of one table as arms of a tagged union, whether or not that table tells them apart. */
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
  if (one && two && one !== two) throw new TypeError("Two rules deal with the same place");
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

/** The object without its undefined members. */
function defined<Members extends object>(
  members: Members,
): { [Member in keyof Members]: Exclude<Members[Member], undefined> } {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as never;
}
