import type { FeatureHost, HandlerContext } from "../api/index.js";
import { invalidParams, summarize } from "../engine/index.js";
import { onDemand } from "../ground/index.js";
import { type Revision, isObject, itemIssues, keep, quote } from "../wire/index.js";
import { type Announcement, announcement } from "./announcement.js";
import type { Cursors } from "./cursors.js";
import type {
  AccessRule,
  Family,
  ListResult,
  PagingOptions,
  Registration,
  RegistryEntry,
} from "./registry-types.js";

const whenPaging = onDemand(() => import("./cursors.js"));

interface Entry<Definition, Given, Behaviour> extends RegistryEntry<Definition, Behaviour> {
  definition: Definition;
  given: Given;
  behaviour: Behaviour;
  isEnabled: boolean;
  rule: AccessRule | undefined;
}

/**
 * Frozen copies of checked definitions, by revision, family and JSON text. They are reused because a program that
 * creates a server for each request registers the same definitions each time.
 */
const listable = new WeakMap<object, Map<string, object>>();
const NO_REVISION = {};
const MAX_KNOWN = 500;
const MAX_KNOWN_LENGTH = 10_000;

interface Listed<One, Definition> {
  readonly entries: readonly One[];
  readonly definitions: readonly Definition[];
  /** True if the list depends on the sender of the request. */
  readonly isRestricted: boolean;
}

/** The definitions of one family, in the order in which they were added. */
export class Registry<Definition extends object, Given extends readonly unknown[], Behaviour> {
  readonly #family: Family;
  readonly #compile: (definition: Definition, ...given: Given) => Behaviour;
  readonly #announcement: Announcement;
  readonly #pageSize: number | undefined;
  #cursors: Cursors | undefined;
  readonly #hasOwnRevisions: boolean;
  #revision: Revision | undefined;
  #entries = new Map<string, Entry<Definition, Given, Behaviour>>();
  #listed: Listed<Entry<Definition, Given, Behaviour>, Definition> | undefined;
  /** The last result without pages, which is reused as long as the items are the same. */
  #whole: { readonly items: readonly Definition[]; readonly result: ListResult } | undefined;

  /**
   * Creates a registry.
   * @param compile - checks and prepares each definition that is added or changed
   * @param change - announcement that several registries share
   */
  constructor(
    family: Family,
    { pageSize, cursors, revisions }: PagingOptions,
    compile: (definition: Definition, ...given: Given) => Behaviour,
    change: Announcement = announcement(family.changed),
  ) {
    this.#family = family;
    this.#compile = compile;
    this.#announcement = change;
    this.#pageSize = checkedPageSize(pageSize);
    this.#cursors = cursors;
    this.#hasOwnRevisions = revisions !== undefined;
    this.#revision = ownRevision(revisions);
  }

  /** The definitions of the enabled entries. The array is replaced, never changed. */
  get definitions(): readonly Definition[] {
    return this.#current.definitions;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): RegistryEntry<Definition, Behaviour> | undefined {
    const entry = this.#entries.get(key);
    return entry?.isEnabled ? entry : undefined;
  }

  isKeptFrom(key: string, context: HandlerContext): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && !(isVisible(entry, context) && hasScopes(entry, context));
  }

  get hasRules(): boolean {
    return [...this.#entries.values()].some(({ rule }) => rule !== undefined);
  }

  /**
   * Returns the enabled entry with this key if the sender of the request can see it. Every use of an entry must call
   * this method: calls, reads, completions, subscriptions and tasks.
   * @throws InsufficientScopeError if the sender lacks scopes that the entry needs
   */
  use(key: string, context: HandlerContext): RegistryEntry<Definition, Behaviour> | undefined {
    const entry = this.#entries.get(key);
    if (!entry?.isEnabled) return undefined;
    if (entry.rule === undefined) return entry;
    if (!isVisible(entry, context)) return undefined;
    if (entry.rule.scopes) context.requireScopes(...entry.rule.scopes);
    return entry;
  }

  find(key: string, context: HandlerContext): RegistryEntry<Definition, Behaviour> {
    const entry = this.use(key, context);
    if (entry) return entry;
    const { noun, list } = this.#family;
    throw invalidParams(`unknown ${noun} ${quote(key)}: ${list} returns those that exist`);
  }

  entriesFor(context: HandlerContext): readonly RegistryEntry<Definition, Behaviour>[] {
    const { entries, isRestricted } = this.#current;
    return isRestricted ? entries.filter((entry) => isVisible(entry, context)) : entries;
  }

  /**
   * Returns the definitions that the sender can see. The array stays the same as long as all entries are visible to all
   * senders.
   */
  definitionsFor(context: HandlerContext): readonly Definition[] {
    const { definitions, isRestricted } = this.#current;
    return isRestricted
      ? this.entriesFor(context).map(({ definition }) => definition)
      : definitions;
  }

  /** True if the list must be marked as private, so that shared caches do not store it. */
  isPrivateFor({ session }: HandlerContext): boolean {
    return this.#current.isRestricted && session.revision.traits.cacheable;
  }

  /**
   * Answers a list request with one page.
   * @param items - the items to list; the array must be replaced whenever the list changes
   */
  list(
    params: unknown,
    context: HandlerContext,
    items: readonly Definition[] = this.definitionsFor(context),
    isPrivate: boolean = this.isPrivateFor(context),
  ): ListResult | Promise<ListResult> {
    const page = this.#pageOf(items, params);
    if (!isPrivate) return page;
    return page instanceof Promise ? page.then(asPrivate) : asPrivate(page);
  }

  attach(host: FeatureHost): void {
    this.#announcement.attach(host);
    this.check(host);
  }

  check({ revisions, checksContent }: FeatureHost): void {
    if (this.#hasOwnRevisions || !checksContent) return;
    this.#revision = ownRevision(revisions);
    for (const { definition } of this.#entries.values()) this.#assertListable(definition);
  }

  add(given: Definition, ...further: Given): Registration<Definition, Given> {
    const entry = { ...this.#made(given, further), isEnabled: true, rule: undefined } as Entry<
      Definition,
      Given,
      Behaviour
    >;
    this.#entries.set(this.#keyOf(entry.definition), entry);
    this.#change();
    return this.#registrationOf(entry);
  }

  #registrationOf(entry: Entry<Definition, Given, Behaviour>): Registration<Definition, Given> {
    const replace = (definition: Definition, ...given: Given): void =>
      this.#replace(entry, definition, given);
    return {
      get definition() {
        return entry.definition;
      },
      get isEnabled() {
        return entry.isEnabled;
      },
      replace,
      update: (changes, ...given) =>
        replace(
          { ...entry.definition, ...changes },
          ...(entry.given.map((one, index) => given[index] ?? one) as unknown as Given),
        ),
      enable: () => this.#enable(entry, true),
      disable: () => this.#enable(entry, false),
      remove: () => {
        if (!this.#isKnown(entry)) return;
        this.#entries.delete(this.#keyOf(entry.definition));
        if (entry.isEnabled) this.#change();
      },
      restrict: (rule) => {
        const { noun } = this.#family;
        const next = checkedRule(rule, `the ${noun} ${quote(this.#keyOf(entry.definition))}`);
        if (entry.rule === undefined && next === undefined) return;
        entry.rule = next;
        if (entry.isEnabled && this.#isKnown(entry)) this.#change();
      },
    };
  }

  #replace(entry: Entry<Definition, Given, Behaviour>, definition: Definition, given: Given): void {
    if (!this.#isKnown(entry)) return;
    const before = this.#keyOf(entry.definition);
    Object.assign(entry, this.#made(definition, given, entry));
    if (before !== this.#keyOf(entry.definition)) {
      const entries = [...this.#entries.values()];
      this.#entries = new Map(entries.map((one) => [this.#keyOf(one.definition), one]));
    }
    if (entry.isEnabled) this.#change();
  }

  #enable(entry: Entry<Definition, Given, Behaviour>, isEnabled: boolean): void {
    if (!this.#isKnown(entry) || entry.isEnabled === isEnabled) return;
    entry.isEnabled = isEnabled;
    this.#change();
  }

  #isKnown(entry: Entry<Definition, Given, Behaviour>): boolean {
    return this.#entries.get(this.#keyOf(entry.definition)) === entry;
  }

  #made(
    given: Definition,
    further: Given,
    inPlaceOf?: Entry<Definition, Given, Behaviour>,
  ): Pick<Entry<Definition, Given, Behaviour>, "definition" | "given" | "behaviour"> {
    const behaviour = this.#compile(given, ...further);
    const definition = this.#listable(given);
    const key = this.#keyOf(definition);
    const other = this.#entries.get(key);
    if (other !== undefined && other !== inPlaceOf) {
      throw new TypeError(`There is already a ${this.#family.noun} ${quote(key)}`);
    }
    return { definition, given: further, behaviour };
  }

  #listable(given: Definition): Definition {
    const text = JSON.stringify(given);
    const known = listable.get(this.#revision ?? NO_REVISION) ?? new Map<string, object>();
    listable.set(this.#revision ?? NO_REVISION, known);
    const key = `${this.#family.list} ${text}`;
    const found = known.get(key) as Definition | undefined;
    if (found) return found;
    const definition = JSON.parse(text, frozen) as Definition;
    this.#assertListable(definition);
    if (known.size >= MAX_KNOWN) known.clear();
    if (text.length <= MAX_KNOWN_LENGTH) known.set(key, definition);
    return definition;
  }

  #keyOf(definition: Definition): string {
    return (definition as Readonly<Record<string, string>>)[this.#family.key]!;
  }

  get #current(): Listed<Entry<Definition, Given, Behaviour>, Definition> {
    if (this.#listed === undefined) {
      const entries = [...this.#entries.values()].filter(({ isEnabled }) => isEnabled);
      this.#listed = {
        entries,
        definitions: entries.map(({ definition }) => definition),
        isRestricted: entries.some(({ rule }) => rule?.visible !== undefined),
      };
    }
    return this.#listed;
  }

  #change(): void {
    this.#listed = undefined;
    this.#announcement.announce();
  }

  #pageOf(items: readonly Definition[], params: unknown): ListResult | Promise<ListResult> {
    const { list, name } = this.#family;
    const { cursor } = (params ?? {}) as { cursor?: string };
    const pageSize = this.#pageSize;
    if (cursor === undefined && items.length <= (pageSize ?? Infinity)) {
      if (items !== this.#whole?.items) {
        this.#whole = { items, result: keep({ [name]: Object.freeze(items) }) };
      }
      return this.#whole.result;
    }
    const keyOf = (item: Definition): string => this.#keyOf(item);
    const page = whenPaging((paging) => {
      this.#cursors ??= new paging.Cursors();
      return this.#cursors.paginate({ list, items, keyOf, pageSize, cursor });
    });
    return Promise.resolve(page).then(({ items: listed, nextCursor }) =>
      nextCursor === undefined ? { [name]: listed } : { [name]: listed, nextCursor },
    );
  }

  /** Throws if a definition is invalid in the revision, because it would make the whole list invalid. */
  #assertListable(definition: Definition): void {
    const { noun, list, name } = this.#family;
    const row = this.#revision?.methods.get(list);
    if (row?.result === undefined) return;
    const result = { [name]: [definition] };
    const sent = this.#revision!.projection?.down(row, "result")?.(result) ?? result;
    const [item] = isObject(sent) ? (sent[name] as readonly unknown[]) : [];
    const issues = itemIssues(row.result, name, item);
    if (issues.length === 0) return;
    const key = quote(String(this.#keyOf(definition)));
    throw new TypeError(`The ${noun} ${key} cannot be listed: ${summarize(issues)}`);
  }
}

export function checkedPageSize(pageSize: number | undefined): number | undefined {
  if (pageSize === undefined || pageSize === Infinity) return undefined;
  if (Number.isSafeInteger(pageSize) && pageSize >= 1) return pageSize;
  throw new TypeError(`pageSize must be a whole number, 1 or more, not ${pageSize}`);
}

export function checkedRule<Context>(
  { visible, scopes }: AccessRule<Context>,
  what: string,
): AccessRule<Context> | undefined {
  if (visible !== undefined && typeof visible !== "function") {
    throw new TypeError(`visible of ${what} must be a function`);
  }
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every(isScope))) {
    throw new TypeError(`scopes of ${what} must be a list of scopes`);
  }
  return visible || scopes?.length ? { visible, scopes } : undefined;
}

/** Returns true if a value is a scope (RFC 6749, section 3.3). */
function isScope(value: unknown): boolean {
  return typeof value === "string" && /^[!#-[\]-~]+$/.test(value);
}

function isVisible({ rule }: { rule: AccessRule | undefined }, context: HandlerContext): boolean {
  return rule?.visible === undefined || rule.visible(context);
}

function hasScopes({ rule }: { rule: AccessRule | undefined }, context: HandlerContext): boolean {
  return rule?.scopes === undefined || isPermitted(context, rule.scopes);
}

export function isPermitted(context: HandlerContext, scopes: readonly string[]): boolean {
  try {
    context.requireScopes(...scopes);
    return true;
  } catch {
    return false;
  }
}

export function asPrivate<Result extends object>(result: Result): Result {
  return { ...result, cacheScope: "private" };
}

/**
 * Returns the revision that determines the form of definitions: the newest one if it is supported, otherwise the first.
 */
function ownRevision(revisions: readonly Revision[] | undefined): Revision | undefined {
  return revisions?.find(({ projection }) => projection === undefined) ?? revisions?.[0];
}

/** Freezes each member that JSON.parse reads, so that no code can change a definition that all clients share. */
function frozen(_name: string, member: unknown): unknown {
  return Object.freeze(member);
}
