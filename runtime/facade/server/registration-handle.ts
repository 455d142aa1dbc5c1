import type { AccessRule } from "../../features/index.js";
import { type AccessConfig, accessRule, type AccessOptions } from "./access-rule.js";
import type { AnyTypes } from "./neutral-types.js";
import { renamed } from "./renamed.js";

/** Entry that was added to a feature. */
export interface FeatureEntry<Definition> {
  readonly definition: Definition;
  readonly isEnabled: boolean;
  enable(): void;
  disable(): void;
  remove(): void;
  restrict(rule: AccessRule): void;
}

/** Members that everything registered has in its configuration. */
export interface RegistrationConfig extends AccessConfig<AnyTypes> {
  readonly name: string;
}

/** Registered entry, and the parts that it is built from. */
export interface RegistrationParts<Given extends RegistrationConfig, Definition> {
  readonly given: Given;
  readonly added: FeatureEntry<Definition>;
  readonly access: AccessOptions;
  /**
   * Makes what was added anew.
   * @throws TypeError when it cannot be; nothing changes then
   */
  readonly remake: (given: Given) => void;
  /** Alternative names that changes can have. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Called when it is gone. */
  readonly removed?: () => void;
}

type Changes<Given> = Partial<Given> & {
  readonly enabled?: boolean;
  /** Further changes: the official SDK has those of resources here. */
  readonly metadata?: object;
};

/** Something registered, in the hands of who did it. */
export class RegistrationHandle<Given extends RegistrationConfig, Definition> {
  readonly #parts: RegistrationParts<Given, Definition>;
  #given: Given;

  constructor(parts: RegistrationParts<Given, Definition>) {
    this.#parts = parts;
    this.#given = parts.given;
    try {
      this.#restrict(parts.given);
    } catch (error) {
      parts.added.remove();
      throw error;
    }
  }

  get name(): string {
    return this.#given.name;
  }

  get definition(): Definition {
    return this.#parts.added.definition;
  }

  get enabled(): boolean {
    return this.#parts.added.isEnabled;
  }

  update({ enabled, metadata, ...changes }: Changes<Given>): void {
    const all = { ...metadata, ...changes };
    if (Object.keys(all).length > 0) {
      const given = { ...this.#given, ...renamed(all, this.#parts.aliases ?? {}) };
      this.#parts.remake(given);
      this.#restrict(given);
      this.#given = given;
    }
    if (enabled === true) this.enable();
    if (enabled === false) this.disable();
  }

  #restrict(given: Given): void {
    const { added, access } = this.#parts;
    added.restrict(accessRule(given, access));
  }

  enable(): void {
    this.#parts.added.enable();
  }

  disable(): void {
    this.#parts.added.disable();
  }

  remove(): void {
    this.#parts.added.remove();
    this.#parts.removed?.();
  }
}

/** A definition that takes the place of another: members that it does not have are undefined. */
export function replacementOf<Definition extends object>(
  before: Definition,
  definition: Definition,
): Definition {
  const gone = Object.keys(before).filter((name) => !(name in definition));
  return { ...Object.fromEntries(gone.map((name) => [name, undefined])), ...definition };
}
