import type { Check } from "../../emit/validators/check.js";
import { checkText } from "./check-text.js";

export type Age = "before" | "after";

/** The maximum length, in characters, of a type in a message. */
const LONGEST = 100;

export class CheckTexts {
  readonly #checks: Readonly<Record<Age, ReadonlyMap<string, Check>>>;

  constructor(before: ReadonlyMap<string, Check>, after: ReadonlyMap<string, Check>) {
    this.#checks = { before, after };
  }

  before(check: Check): Check {
    return this.#target(check, "before");
  }

  after(check: Check): Check {
    return this.#target(check, "after");
  }

  named(name: string, age: Age): Check | undefined {
    return this.#checks[age].get(name);
  }

  arms(check: Check, age: Age): readonly Check[] {
    const target = this.#target(check, age);
    if (target.kind !== "anyOf") return [check];
    return target.arms.flatMap((arm) => this.arms(arm, age));
  }

  text(check: Check, age: Age): string {
    const text = checkText(check, this.#checks[age]);
    return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  }

  #target(check: Check, age: Age): Check {
    if (check.kind !== "call") return check;
    return this.#target(this.#checks[age].get(check.name)!, age);
  }
}
