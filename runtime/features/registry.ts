import type { HandlerContext } from "../api/index.js";
import { quote } from "../wire/index.js";
import { type AccessRule, checkedRule } from "./access-rule.js";
import { frozenCopy } from "./frozen-copy.js";

/** Handle of a registered entry, for the code that registered it. A removed entry stays removed. */
export interface Registration<Definition, Behaviour> {
  readonly definition: Definition;
  readonly isEnabled: boolean;
  /**
   * Replaces members of the definition, and what it does.
   * @throws TypeError when its name or URI would be that of another one; nothing changes then
   */
  update(changes: Partial<Definition>, behaviour?: Behaviour): void;
  /** Lists it again. */
  enable(): void;
  /** Keeps it from being listed and used. */
  disable(): void;
  remove(): void;
  /**
   * Decides who sees and uses it, in place of what was decided before.
   * @throws TypeError for a rule that is none
   */
  restrict(rule: AccessRule): void;
}

export interface RegistryEntry<Definition, Behaviour> {
  readonly definition: Definition;
  readonly behaviour: Behaviour;
}

export interface RegistryOptions<Definition> {
  /** Noun for error messages: `resource`. */
  readonly what: string;
  readonly keyOf: (definition: Definition) => string;
  /** Called for each definition that is added or changed; throws when it cannot be taken. */
  readonly check?: (definition: Definition) => void;
  /** Called when what is enabled has changed. */
  readonly onchange: () => void;
}

/** Things of one kind, each with a key of its own, in the order in which they were added. */
export class Registry<Definition extends object, Behaviour> {
  readonly #options: RegistryOptions<Definition>;
  #entries = new Map<string, Entry<Definition, Behaviour>>();
  #enabled: readonly Entry<Definition, Behaviour>[] | undefined;
  #definitions: readonly Definition[] | undefined;
  #isRestricted: boolean | undefined;

  constructor(options: RegistryOptions<Definition>) {
    this.#options = options;
  }

  /** Definitions of the enabled entries. A new array whenever they change. */
  get definitions(): readonly Definition[] {
    this.#definitions ??= this.enabled.map(({ definition }) => definition);
    return this.#definitions;
  }

  /** Definitions of all entries. */
  get all(): readonly Definition[] {
    return [...this.#entries.values()].map(({ definition }) => definition);
  }

  /** Enabled entries: definitions with their behaviour. */
  get enabled(): readonly RegistryEntry<Definition, Behaviour>[] {
    return this.#enabledEntries;
  }

  get #enabledEntries(): readonly Entry<Definition, Behaviour>[] {
    this.#enabled ??= [...this.#entries.values()].filter(({ isEnabled }) => isEnabled);
    return this.#enabled;
  }

  /** The one with this key, if it is enabled. */
  get(key: string): RegistryEntry<Definition, Behaviour> | undefined {
    const entry = this.#entries.get(key);
    return entry?.isEnabled ? entry : undefined;
  }

  /** Entry with this key, if it is enabled and the request sees it. */
  visible(key: string, context: HandlerContext): RegistryEntry<Definition, Behaviour> | undefined {
    const entry = this.#entries.get(key);
    return entry?.isEnabled && isVisible(entry, context) ? entry : undefined;
  }

  /**
   * Entry with this key, for its use.
   * @throws InsufficientScopeError when the sender lacks scopes that it needs
   */
  use(key: string, context: HandlerContext): RegistryEntry<Definition, Behaviour> | undefined {
    const entry = this.visible(key, context) as Entry<Definition, Behaviour> | undefined;
    if (entry?.rule?.scopes) context.requireScopes(...entry.rule.scopes);
    return entry;
  }

  /** Enabled entries that the request sees. */
  enabledFor(context: HandlerContext): readonly RegistryEntry<Definition, Behaviour>[] {
    return this.isRestricted
      ? this.#enabledEntries.filter((entry) => isVisible(entry, context))
      : this.enabled;
  }

  /** Definitions of the enabled entries that the request sees; the same array while nobody is kept from any. */
  definitionsFor(context: HandlerContext): readonly Definition[] {
    return this.isRestricted
      ? this.enabledFor(context).map(({ definition }) => definition)
      : this.definitions;
  }

  /** True when what a request sees is for nobody else, and its revision has a way to say that. */
  isPrivateFor({ session }: HandlerContext): boolean {
    return this.isRestricted && session.revision.traits.cacheable;
  }

  /** True when the list depends on who asks for it. */
  get isRestricted(): boolean {
    this.#isRestricted ??= this.#enabledEntries.some(({ rule }) => rule?.visible !== undefined);
    return this.#isRestricted;
  }

  /** True when there is an entry with this key, enabled or not. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** @throws TypeError when there is one with the same key */
  add(given: Definition, behaviour: Behaviour): Registration<Definition, Behaviour> {
    const definition = frozenCopy(given);
    this.#admit(definition);
    const entry = new Entry(definition, behaviour, this);
    this.#entries.set(this.#options.keyOf(definition), entry);
    this.#change();
    return entry;
  }

  /** Called by an entry that wants to become different. */
  replace(entry: Entry<Definition, Behaviour>, given: Definition, behaviour: Behaviour): void {
    if (!this.#has(entry)) return;
    const definition = frozenCopy(given);
    this.#admit(definition, entry);
    const { keyOf } = this.#options;
    const isRenamed = keyOf(entry.definition) !== keyOf(definition);
    entry.definition = definition;
    entry.behaviour = behaviour;
    if (isRenamed) {
      const entries = [...this.#entries.values()];
      this.#entries = new Map(entries.map((one) => [keyOf(one.definition), one]));
    }
    if (entry.isEnabled) this.#change();
  }

  enable(entry: Entry<Definition, Behaviour>, isEnabled: boolean): void {
    if (!this.#has(entry) || entry.isEnabled === isEnabled) return;
    entry.isEnabled = isEnabled;
    this.#change();
  }

  restrict(entry: Entry<Definition, Behaviour>, rule: AccessRule): void {
    const { what, keyOf } = this.#options;
    const next = checkedRule(rule, `the ${what} ${quote(keyOf(entry.definition))}`);
    if (entry.rule === undefined && next === undefined) return;
    entry.rule = next;
    if (entry.isEnabled && this.#has(entry)) this.#change();
  }

  remove(entry: Entry<Definition, Behaviour>): void {
    if (!this.#has(entry)) return;
    this.#entries.delete(this.#options.keyOf(entry.definition));
    if (entry.isEnabled) this.#change();
  }

  #has(entry: Entry<Definition, Behaviour>): boolean {
    return this.#entries.get(this.#options.keyOf(entry.definition)) === entry;
  }

  #admit(definition: Definition, inPlaceOf?: Entry<Definition, Behaviour>): void {
    const { what, keyOf, check } = this.#options;
    const key = keyOf(definition);
    const other = this.#entries.get(key);
    if (other !== undefined && other !== inPlaceOf) {
      throw new TypeError(`There is a ${what} ${quote(key)} already`);
    }
    check?.(definition);
  }

  #change(): void {
    this.#enabled = undefined;
    this.#definitions = undefined;
    this.#isRestricted = undefined;
    this.#options.onchange();
  }
}

class Entry<Definition extends object, Behaviour> implements Registration<Definition, Behaviour> {
  definition: Definition;
  behaviour: Behaviour;
  isEnabled = true;
  rule: AccessRule | undefined;
  readonly #registry: Registry<Definition, Behaviour>;

  constructor(
    definition: Definition,
    behaviour: Behaviour,
    registry: Registry<Definition, Behaviour>,
  ) {
    this.definition = definition;
    this.behaviour = behaviour;
    this.#registry = registry;
  }

  update(changes: Partial<Definition>, behaviour: Behaviour = this.behaviour): void {
    this.#registry.replace(this, { ...this.definition, ...changes }, behaviour);
  }

  enable(): void {
    this.#registry.enable(this, true);
  }

  disable(): void {
    this.#registry.enable(this, false);
  }

  remove(): void {
    this.#registry.remove(this);
  }

  restrict(rule: AccessRule): void {
    this.#registry.restrict(this, rule);
  }
}

function isVisible({ rule }: { rule: AccessRule | undefined }, context: HandlerContext): boolean {
  return rule?.visible === undefined || rule.visible(context);
}
