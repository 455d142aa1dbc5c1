import { VALIDATOR_IMPORTS } from "../../plan/runtime-imports.js";
import { type Code, code, importValue } from "../printer/code.js";
import { type Check, callsOf, recursiveNames, runtimeTest } from "./check.js";
import type { Subjects } from "./subjects.js";

export interface Pending {
  readonly name: string;
  readonly check: Check;
  readonly path: string;
}

/** The module from which other modules import the functions that they do not declare themselves. */
export const PAYLOADS = "./payloads.js";

/** The functions of a schema's validators. Private functions are named when they are first needed. */
export class Functions {
  readonly declarations: ReadonlyMap<string, Check>;
  readonly #hidden: Map<string, Check>;
  readonly #recursive: ReadonlySet<string>;
  readonly #inline: ReadonlySet<string>;
  readonly #tests = new Map<string, string>();
  /** The names of tests, by the JSON form of their checks. Equal checks share a test. */
  readonly #names = new Map<string, string>();
  readonly #contentNames = new Map<string, string>();
  readonly #taken: Set<string>;
  readonly #pending: Pending[] = [];
  readonly #elsewhere: ReadonlyMap<string, Code>;

  /** @param elsewhere - validators from other modules, as expressions, by the local names of their declarations */
  constructor(
    { exported, hidden, inline }: Subjects,
    elsewhere: ReadonlyMap<string, Code> = new Map(),
  ) {
    this.#elsewhere = elsewhere;
    this.declarations = new Map([...exported, ...hidden]);
    this.#hidden = new Map(hidden);
    this.#inline = inline;
    const here = [...this.declarations].filter(([name]) => !elsewhere.has(name));
    this.#recursive = recursiveNames(new Map(here));
    this.#taken = new Set([...this.declarations.keys(), ...Object.keys(VALIDATOR_IMPORTS)]);
    for (const name of this.declarations.keys()) this.#tests.set(name, this.#free(`is${name}`));
    for (const name of this.#inline) {
      const key = JSON.stringify(exported.get(name));
      if (!this.#names.has(key)) this.#names.set(key, this.#tests.get(name)!);
    }
  }

  reference(check: Check, path: string): Code {
    if (check.kind !== "call") return functionNamed(this.#namePrivate(check, path));
    const { name } = check;
    const other = this.#elsewhere.get(name);
    if (other) return other;
    const alias = this.declarations.get(name)!;
    return alias.kind === "call" ? this.reference(alias, path) : functionNamed(this.#called(name));
  }

  /**
   * Returns the function that tests a value, for use as an argument. A validator from another module must be wrapped,
   * because its second parameter is a trace and not a depth.
   */
  argument(check: Check, path: string): Code {
    const target = this.#target(check);
    if (target.kind !== "call" || !this.#elsewhere.has(target.name))
      return this.reference(check, path);
    return functionNamed(this.#namePrivate(target, target.name));
  }

  #target(check: Check): Check {
    if (check.kind !== "call" || this.#elsewhere.has(check.name)) return check;
    const found = this.declarations.get(check.name)!;
    return found.kind === "call" ? this.#target(found) : check;
  }

  /** Replaces a call with the check that it stands for, if the runtime has a function for that check. */
  inlined(check: Check): Check {
    if (check.kind !== "call" || this.#elsewhere.has(check.name)) return check;
    const found = this.declarations.get(check.name)!;
    if (found.kind === "call") return this.inlined(found);
    return runtimeTest(found) ? found : check;
  }

  testOf(name: string): Code {
    const check = this.declarations.get(name)!;
    if (check.kind === "call") return this.reference(check, name);
    return functionNamed(
      this.isShared(name) ? this.#names.get(JSON.stringify(check))! : this.nameOf(name),
    );
  }

  nameOf(name: string): string {
    return this.#tests.get(name)!;
  }

  contentNameOf(name: string): string {
    let found = this.#contentNames.get(name);
    if (found === undefined) this.#contentNames.set(name, (found = this.#free(`contentOf${name}`)));
    return found;
  }

  contentOf(name: string): Code {
    return functionNamed(this.contentNameOf(name));
  }

  /** Returns a declaration's validator from another module, as an expression. */
  elsewhere(name: string): Code | undefined {
    return this.#elsewhere.get(name);
  }

  isShared(name: string): boolean {
    if (!this.#inline.has(name)) return false;
    return this.#names.get(JSON.stringify(this.declarations.get(name))) !== this.nameOf(name);
  }

  /** Returns a private test's name. Equal checks share a test, which is named after the first place that needs it. */
  #namePrivate(check: Check, path: string): string {
    const key = JSON.stringify(check);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = this.#free(`is${path}`);
    this.#names.set(key, name);
    this.#pending.push({ name, check, path });
    return name;
  }

  #called(name: string): string {
    const test = this.#tests.get(name)!;
    const check = this.#hidden.get(name);
    if (check !== undefined) {
      this.#hidden.delete(name);
      this.#pending.push({ name: test, check, path: name });
    }
    return test;
  }

  #free(base: string): string {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base}_${number}`;
      if (this.#taken.has(name)) continue;
      this.#taken.add(name);
      return name;
    }
  }

  /** Returns true if a check's test counts nesting levels, because the check refers to a recursive declaration. */
  isDeep(check: Check): boolean {
    return callsOf(check).some((name) => this.#recursive.has(name));
  }

  isDeepDeclaration(name: string): boolean {
    return this.#inline.has(name)
      ? this.isDeep(this.declarations.get(name)!)
      : this.#recursive.has(name);
  }

  nextPending(): Pending | undefined {
    return this.#pending.shift();
  }
}

/** Returns a reference to a function: an import, unless it is printed in the module that declares the function. */
function functionNamed(name: string): Code {
  return code`${importValue(name, PAYLOADS)}`;
}
