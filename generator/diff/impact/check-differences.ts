import type { ArrayCheck, Check, ObjectCheck } from "../../emit/validators/check.js";
import type { CheckTexts } from "./check-texts.js";
import type { ValueKind } from "./protocol-change.js";

/**
 * The effect of a change on the set of valid values. `wider`: more values are valid than before; `narrower`: fewer
 * values are valid; `other`: both, or the effect is unknown; `new` and `gone`: an optional member was added or removed.
 */
export type Effect = "wider" | "narrower" | "other" | "new" | "gone";

export interface Difference {
  readonly pointer: string;
  readonly effect: Effect;
  readonly kind: ValueKind;
  readonly message: string;
  /** The new type or limit, as text. */
  readonly to?: string;
  readonly undecided?: true;
}

/** Receives the name of a type that both revisions have in the same place. The type is compared separately. */
export type Meeting = (name: string) => void;

/**
 * Finds the differences between two revisions' checks of one place. Types with the same name are passed to `meet`
 * instead of being compared.
 */
export function checkDifferences(
  before: Check,
  after: Check,
  texts: CheckTexts,
  meet: Meeting,
): readonly Difference[] {
  const comparison = new CheckComparison(texts, meet);
  comparison.compare(before, after, "");
  return comparison.found;
}

class CheckComparison {
  readonly found: Difference[] = [];
  readonly #texts: CheckTexts;
  readonly #meet: Meeting;
  /** The pairs of names that are currently being compared. */
  readonly #open = new Set<string>();

  constructor(texts: CheckTexts, meet: Meeting) {
    this.#texts = texts;
    this.#meet = meet;
  }

  compare(before: Check, after: Check, pointer: string): void {
    if (before.kind === "call" || after.kind === "call") return this.#named(before, after, pointer);
    if (before.kind === "any" || after.kind === "any") return this.#any(before, after, pointer);
    if (before.kind === "anyOf" || after.kind === "anyOf") {
      return this.#unions(armsOf(before), armsOf(after), pointer);
    }
    if (before.kind === "object" && after.kind === "object") {
      return this.#objects(before, after, pointer);
    }
    if (before.kind === "array" && after.kind === "array") {
      return this.#arrays(before, after, pointer);
    }
    if (before.kind === "number" && after.kind === "number" && before.integer !== after.integer) {
      this.#add(pointer, after.integer ? "narrower" : "wider", before, after);
      return;
    }
    if (before.kind === after.kind) this.#limits(before, after, pointer);
    else this.#add(pointer, "other", before, after);
  }

  #named(before: Check, after: Check, pointer: string): void {
    const names = [before, after].map((check) => (check.kind === "call" ? check.name : ""));
    if (names[0] === names[1]) return this.#meet(names[0]!);
    const key = names.join(" ");
    // A cycle that leads back to a pair adds no differences of its own.
    if (this.#open.has(key)) return;
    this.#open.add(key);
    const [old, next] = [this.#texts.before(before), this.#texts.after(after)];
    // The names are not yet replaced by their unions, because alternatives are matched by name.
    if (old.kind === "anyOf" || next.kind === "anyOf") this.#unions([before], [after], pointer);
    else this.compare(old, next, pointer);
    this.#open.delete(key);
  }

  #any(before: Check, after: Check, pointer: string): void {
    if (before.kind === after.kind) return;
    this.#add(pointer, after.kind === "any" ? "wider" : "narrower", before, after);
  }

  #objects(before: ObjectCheck, after: ObjectCheck, pointer: string): void {
    const now = new Map(after.members.map((member) => [member.name, member]));
    for (const member of before.members) {
      const other = now.get(member.name);
      const at = `${pointer}/${token(member.name)}`;
      now.delete(member.name);
      if (other === undefined) {
        if (member.optional) this.#push(at, "gone", "gone", "is gone");
        else this.#push(at, "wider", "lacking", "is gone, and was required");
        continue;
      }
      if (member.optional !== other.optional) {
        if (other.optional) this.#push(at, "wider", "optional", "may be absent now");
        else this.#push(at, "narrower", "required", "is required now");
      }
      this.compare(member.check, other.check, at);
    }
    for (const { name, optional, check } of now.values()) {
      const type = this.#texts.text(check, "after");
      const at = `${pointer}/${token(name)}`;
      if (optional) this.#push(at, "new", "new", `new member: ${type}`, type);
      else this.#push(at, "narrower", "required", `new required member: ${type}`, type);
    }
    const old = before.index && this.#texts.before(before.index).kind !== "any" && before.index;
    const next = after.index && this.#texts.after(after.index).kind !== "any" && after.index;
    if (old && next) this.compare(old, next, `${pointer}/*`);
    else if (old)
      this.#push(`${pointer}/*`, "wider", "open", "undeclared members may be anything now");
    else if (next) {
      const type = this.#texts.text(next, "after");
      const message = `undeclared members have to be ${type} now`;
      this.#push(`${pointer}/*`, "narrower", "type", message, type);
    }
  }

  #arrays(before: ArrayCheck, after: ArrayCheck, pointer: string): void {
    this.#range(
      pointer,
      "items",
      [before.minItems, after.minItems],
      [before.maxItems, after.maxItems],
    );
    this.compare(before.element, after.element, `${pointer}/*`);
  }

  #limits(before: Check, after: Check, pointer: string): void {
    switch (before.kind) {
      case "string": {
        if (after.kind !== "string") return;
        const min = [before.minLength, after.minLength] as const;
        this.#range(pointer, "characters", min, [before.maxLength, after.maxLength]);
        if (before.pattern === after.pattern) return;
        const effect =
          before.pattern === undefined
            ? "narrower"
            : after.pattern === undefined
              ? "wider"
              : "other";
        this.#add(pointer, effect, before, after, effect === "other");
        return;
      }
      case "number":
        if (after.kind !== "number") return;
        this.#range(pointer, "", [before.minimum, after.minimum], [before.maximum, after.maximum]);
        return;
      default:
        if (this.#texts.text(before, "before") === this.#texts.text(after, "after")) return;
        this.#add(pointer, "other", before, after, before.kind === "allOf");
    }
  }

  #range(
    pointer: string,
    unit: string,
    [oldMin = -Infinity, newMin = -Infinity]: readonly (number | undefined)[],
    [oldMax = Infinity, newMax = Infinity]: readonly (number | undefined)[],
  ): void {
    const words = unit === "" ? "" : ` ${unit}`;
    const limit = (value: number): string =>
      Number.isFinite(value) ? `${value}${words}` : "no limit";
    if (oldMin !== newMin) {
      const message = `at least ${limit(newMin)} (was ${limit(oldMin)})`;
      this.#push(pointer, newMin > oldMin ? "narrower" : "wider", "limit", message);
    }
    if (oldMax !== newMax) {
      const message = `at most ${limit(newMax)} (was ${limit(oldMax)})`;
      this.#push(pointer, newMax < oldMax ? "narrower" : "wider", "limit", message);
    }
  }

  /**
   * Matches the alternatives of two unions by name or kind, and then matches the remaining objects by similarity. All
   * others count as added or removed, unless another alternative covers them.
   */
  #unions(before: readonly Check[], after: readonly Check[], pointer: string): void {
    const [old, next] = [
      before.flatMap((arm) => this.#texts.arms(arm, "before")),
      after.flatMap((arm) => this.#texts.arms(arm, "after")),
    ];
    const come = [...next];
    const unnamed = old.filter((arm) => {
      const index = come.findIndex((other) => this.#isCounterpart(arm, other));
      if (index >= 0) this.compare(arm, come.splice(index, 1)[0]!, pointer);
      return index < 0;
    });
    const gone = unnamed.filter((arm) => {
      const other = this.#nearest(arm, come);
      if (other) this.compare(arm, come.splice(come.indexOf(other), 1)[0]!, pointer);
      return other === undefined;
    });
    const lost = gone.filter((arm) => !isCovered(arm, next));
    const won = come.filter((arm) => !isCovered(arm, old));
    const list = (arms: readonly Check[], side: "before" | "after"): string =>
      [...new Set(arms.map((arm) => this.#texts.text(arm, side)))].join(" | ");
    if (lost.length > 0) {
      const text = list(lost, "before");
      this.#push(pointer, "narrower", "fewer", `no longer ${text}`, text);
    }
    if (won.length > 0) {
      const text = list(won, "after");
      this.#push(pointer, "wider", "more", `may be ${text} now`, text);
    }
  }

  #isCounterpart(before: Check, after: Check): boolean {
    if (before.kind === "call" && after.kind === "call" && before.name === after.name) return true;
    if (before.kind === "call" || after.kind === "call") {
      // The type may have been renamed.
      const [old, next] = [this.#texts.before(before), this.#texts.after(after)];
      return JSON.stringify(old) === JSON.stringify(next);
    }
    if (before.kind === "literal" && after.kind === "literal") return before.value === after.value;
    return before.kind === after.kind;
  }

  /**
   * Returns the alternative that most likely replaced an object: the one with the fewest differences, all of which are
   * new or narrower members.
   */
  #nearest(before: Check, candidates: readonly Check[]): Check | undefined {
    if (this.#texts.before(before).kind !== "object") return undefined;
    const trials = candidates
      .filter((after) => this.#texts.after(after).kind === "object")
      .map((after) => {
        const trial = new CheckComparison(this.#texts, () => {});
        trial.compare(this.#texts.before(before), this.#texts.after(after), "");
        return { after, found: trial.found };
      })
      .filter(({ found }) =>
        found.every(({ effect }) => effect === "new" || effect === "narrower"),
      );
    return trials.toSorted((one, other) => one.found.length - other.found.length)[0]?.after;
  }

  #add(pointer: string, effect: Effect, before: Check, after: Check, undecided = false): void {
    const to = this.#texts.text(after, "after");
    const message = `${this.#texts.text(before, "before")} -> ${to}`;
    this.#push(pointer, effect, "type", message, to, undecided);
  }

  #push(
    pointer: string,
    effect: Effect,
    kind: ValueKind,
    message: string,
    to?: string,
    undecided = false,
  ): void {
    const known = { ...(to !== undefined && { to }), ...(undecided && { undecided }) };
    this.found.push({ pointer, effect, kind, message, ...known });
  }
}

/** Returns true if a literal is redundant because the other union contains its scalar type. */
function isCovered(arm: Check, by: readonly Check[]): boolean {
  return arm.kind === "literal" && by.some(({ kind }) => kind === typeof arm.value);
}

function armsOf(check: Check): readonly Check[] {
  return check.kind === "anyOf" ? check.arms : [check];
}

function token(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
