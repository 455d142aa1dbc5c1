import { subjects } from "../../emit/validators/subjects.js";
import type { Check } from "../../emit/validators/check.js";
import type { Method, Protocol } from "../../link/protocol.js";
import { Shapes } from "../../model/shape.js";
import { CHANGE_CLASSES } from "../changes.js";
import type { ProtocolDiff } from "../protocol-diff.js";
import { isAnyJson, isAnyObject } from "../../link/type-tests.js";
import { checkDifferences, type Difference } from "./check-differences.js";
import { CheckTexts } from "./check-texts.js";
import { type Gates, methodImpact } from "./method-impact.js";
import {
  changeFor,
  otherSide,
  type ProtocolChange,
  type Side,
  sidesOf,
} from "./protocol-change.js";
import { statedChanges } from "./stated-changes.js";

/**
 * Classifies the changes between two revisions, and determines which sides have to react. Messages are compared in
 * their wire form, from the method down to each member. The most serious changes come first.
 */
export function protocolChanges(
  before: Protocol,
  after: Protocol,
  diff: ProtocolDiff,
): readonly ProtocolChange[] {
  const messages = new MessageComparison(before, after, openedPlaces(diff));
  const changes = [
    ...statedChanges(diff),
    ...diff.methods.flatMap((change) => methodImpact(change, messages.gates(change.method))),
    ...messages.changes(),
  ];
  return changes.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ class: kind }: ProtocolChange): number {
  return CHANGE_CLASSES.indexOf(kind);
}

/** Compares the parameters and results of the methods that both revisions have. */
class MessageComparison {
  readonly #before: Protocol;
  readonly #after: Protocol;
  readonly #texts: CheckTexts;
  /** The differences by place. `#senders` contains the sides that send the values in each place. */
  readonly #found = new Map<
    string,
    { readonly own: readonly Difference[]; readonly met: readonly string[] }
  >();
  readonly #senders = new Map<string, Set<Side>>();

  readonly #opened: ReadonlySet<string>;

  constructor(before: Protocol, after: Protocol, opened: ReadonlySet<string>) {
    this.#opened = opened;
    this.#before = before;
    this.#after = after;
    this.#texts = new CheckTexts(checksOf(before), checksOf(after));
  }

  changes(): readonly ProtocolChange[] {
    const now = new Map(this.#after.methods.map((method) => [method.method, method]));
    for (const method of this.#before.methods) {
      const other = now.get(method.method);
      if (other) this.#method(method, other);
    }
    return [...this.#found].flatMap(([name, { own }]) =>
      own.map((difference) =>
        changeOf(name, this.#described(name, difference), [...this.#senders.get(name)!]),
      ),
    );
  }

  gates(name: string): Gates {
    const [old, now] = [this.#before, this.#after].map(({ methods }) =>
      methods.find(({ method }) => method === name),
    );
    const known = new Set(old?.conditions.map((condition) => JSON.stringify(condition)));
    const fresh = now?.conditions.filter((condition) => !known.has(JSON.stringify(condition)));
    const params = old?.params && this.#texts.before(call(old.params.type));
    const members = params?.kind === "object" ? params.members : [];
    // A condition on a new member does not affect earlier messages, and a recommended condition cannot be relied on.
    const isBinding = fresh?.some(({ member, level, unmet, orAbsent, orEmpty }) => {
      if (level === "should" || unmet === "drop") return false;
      return members.some((one) => one.name === member) || (orAbsent === true && !orEmpty);
    });
    return { isGated: now?.capability !== undefined, isBinding: isBinding === true };
  }

  /**
   * Returns the difference to report for a member. A member that was removed from an object that now accepts any
   * members may still be present, so the difference is `wider`.
   */
  #described(name: string, difference: Difference): Difference {
    const { pointer } = difference;
    const isGone = difference.kind === "gone" || difference.kind === "lacking";
    const owner = `${name}${pointer.slice(0, pointer.lastIndexOf("/"))}`;
    if (!isGone || !this.#opened.has(owner)) return difference;
    const message = "is no longer described, and may be anything now";
    return { pointer, effect: "wider", kind: "open", message };
  }

  #method(before: Method, after: Method): void {
    const senders = [...new Set([...sidesOf(before.from), ...sidesOf(after.from)])];
    const { method } = before;
    if (before.params && after.params) {
      this.#compare(`${method} params`, call(before.params.type), call(after.params.type), senders);
    } else if (after.params && !after.params.optional) {
      this.#add(
        `${method} params`,
        { pointer: "", effect: "narrower", kind: "required", message: "are required now" },
        senders,
      );
    }
    const results = [before, after].map(({ result }) => result && resultCheck(result));
    if (results[0] && results[1]) {
      this.#compare(`${method} result`, results[0], results[1], senders.map(otherSide));
    }
  }

  /** Compares a place once, and records the sides that send its contents. */
  #compare(name: string, before: Check, after: Check, senders: readonly Side[]): void {
    let found = this.#found.get(name);
    if (found === undefined) {
      const met: string[] = [];
      // This is set before the contents are compared, because they may lead back here.
      this.#found.set(
        name,
        (found = {
          own: checkDifferences(before, after, this.#texts, (type) => met.push(type)),
          met,
        }),
      );
    }
    const known = this.#senders.get(name) ?? new Set();
    this.#senders.set(name, known);
    const fresh = senders.filter((side) => !known.has(side));
    if (fresh.length === 0) return;
    for (const side of fresh) known.add(side);
    for (const type of found.met) {
      const [old, next] = [this.#texts.named(type, "before"), this.#texts.named(type, "after")];
      if (old && next) this.#compare(type, old, next, fresh);
    }
  }

  #add(name: string, difference: Difference, senders: readonly Side[]): void {
    this.#found.set(name, { own: [difference], met: [] });
    this.#senders.set(name, new Set(senders));
  }
}

function changeOf(name: string, difference: Difference, senders: readonly Side[]): ProtocolChange {
  const { pointer, message, kind, to, undecided } = difference;
  const detail = { kind, senders, ...(to !== undefined && { to }) };
  return changeFor(sidesFor(difference, senders), name, pointer, message, detail, undecided);
}

function sidesFor({ effect }: Difference, senders: readonly Side[]): readonly Side[] {
  const receivers = senders.map(otherSide);
  switch (effect) {
    case "new":
      return [];
    // The receiver no longer understands such a member.
    case "gone":
    case "narrower":
      return senders;
    case "wider":
      return receivers;
    case "other":
      return [...senders, ...receivers];
  }
}

function checksOf(protocol: Protocol): ReadonlyMap<string, Check> {
  const shapes = new Shapes(protocol.declarations);
  const { exported, hidden } = subjects(protocol, shapes);
  const all = [...exported, ...hidden].map(([name, check]): [string, Check] => {
    const type = { kind: "reference", name, span: NOWHERE } as const;
    if (isAnyJson(type, shapes)) return [name, { kind: "any" }];
    return [name, isAnyObject(type, shapes) ? { kind: "object", members: [] } : check];
  });
  return new Map(all);
}

/**
 * Returns the places of objects that accept arbitrary members only in the newer revision, such as `Tool/inputSchema`.
 */
function openedPlaces({ members }: ProtocolDiff): ReadonlySet<string> {
  return new Set(
    members.flatMap((change) => {
      const isOpened = change.change === "index" && /^(?:unknown|any)$/.test(change.to);
      return isOpened ? [[change.type, ...change.path.slice(0, -1)].join("/")] : [];
    }),
  );
}

const NOWHERE = { line: 0, column: 0, start: 0, end: 0 };

function call(name: string): Check {
  return { kind: "call", name };
}

function resultCheck({ type, alternatives }: NonNullable<Method["result"]>): Check {
  const arms = [type, ...alternatives.map((other) => other.type)].map(call);
  return arms.length === 1 ? arms[0]! : { kind: "anyOf", arms };
}
