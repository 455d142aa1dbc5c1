import { VALIDATOR_IMPORTS } from "../../plan/runtime-imports.js";
import type { Code } from "../printer/code.js";
import { identifier } from "../printer/identifier.js";
import type { Check } from "./check.js";
import { callsOf, recursiveNames } from "./recursion.js";
import type { Subjects } from "./subjects.js";

/** A function that no declaration asks for by name: an inline type, or an array or map of something. */
export interface Private {
  readonly name: string;
  readonly check: Check;
}

/** Knows which function checks what, and makes up the private ones as they are needed. */
export class Functions {
  /** What has a name, by name. */
  readonly declarations: ReadonlyMap<string, Check>;
  readonly #hidden: Map<string, Check>;
  readonly #recursive: ReadonlySet<string>;
  readonly #inline: ReadonlySet<string>;
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;
  readonly #pending: Private[] = [];
  readonly #elsewhere: ReadonlyMap<string, Code>;

  /** @param elsewhere - what is exported by another module, and how that function is called here */
  constructor(
    { exported, hidden, inline }: Subjects,
    elsewhere: ReadonlyMap<string, Code> = new Map(),
  ) {
    this.#elsewhere = elsewhere;
    this.declarations = new Map([...exported, ...hidden]);
    this.#hidden = new Map(hidden);
    this.#inline = inline;
    this.#recursive = recursiveNames(this.declarations);
    this.#taken = new Set([...this.declarations.keys(), ...Object.keys(VALIDATOR_IMPORTS)]);
    for (const name of this.#inline) {
      const key = JSON.stringify(exported.get(name));
      if (!this.#names.has(key)) this.#names.set(key, name);
    }
  }

  /** The function for a check, as an expression. */
  reference(check: Check, path: string): Code {
    const other = check.kind === "call" ? this.#elsewhere.get(check.name) : undefined;
    return other ?? identifier(this.nameOf(check, path));
  }

  /** Name of the function for a check; equal checks share one, named after the first place that needs it. */
  nameOf(check: Check, path: string): string {
    if (check.kind === "call") return this.#called(check.name);
    const key = JSON.stringify(check);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    let name = nameFor(check, path);
    while (this.#taken.has(name)) name += "_";
    this.#taken.add(name);
    this.#names.set(key, name);
    this.#pending.push({ name, check });
    return name;
  }

  #called(name: string): string {
    const check = this.#hidden.get(name);
    if (check !== undefined) {
      this.#hidden.delete(name);
      this.#pending.push({ name, check });
    }
    return name;
  }

  /** What the function of a declaration checks: an inline type may have its function elsewhere. */
  sharedBody(name: string, check: Check): Check {
    const first = this.#inline.has(name) ? this.#names.get(JSON.stringify(check))! : name;
    return first === name ? check : { kind: "call", name: first };
  }

  /** Whether the function for a check counts levels: it can lead back to where it was called from. */
  isDeep(check: Check): boolean {
    return callsOf(check).some((name) => this.#recursive.has(name));
  }

  /** The same of an exported function. */
  isDeepExport(name: string, check: Check): boolean {
    return this.#inline.has(name) ? this.isDeep(check) : this.#recursive.has(name);
  }

  /** A private function that was asked for and is not printed yet. */
  nextPending(): Private | undefined {
    return this.#pending.shift();
  }
}

const SCALARS: ReadonlyMap<Check["kind"], string> = new Map([
  ["string", "String"],
  ["boolean", "Boolean"],
]);

/** Lists of something named are named after it; anything else after its place. */
function nameFor(check: Check, path: string): string {
  if (check.kind === "array" && check.minItems === undefined && check.maxItems === undefined) {
    const element = elementName(check.element);
    if (element) return `ArrayOf${element}`;
  }
  if (check.kind === "object" && check.members.length === 0 && check.index) {
    const element = elementName(check.index);
    if (element) return `MapOf${element}`;
  }
  return path;
}

function elementName(check: Check): string | undefined {
  if (check.kind === "call") return check.name;
  if (check.kind === "object" && check.members.length === 0 && !check.index) return "Object";
  if (check.kind === "string" && (check.minLength ?? check.maxLength) !== undefined)
    return undefined;
  return SCALARS.get(check.kind);
}
