import type { HandlerContext } from "../../api/index.js";
import type {
  AccessRule,
  Completers,
  Family,
  Registration,
  Schemas,
} from "../../features/index.js";
import { checkedRule, isPermitted } from "../../features/server/index.js";
import { assertKnownNames } from "../../ground/index.js";
import { quote } from "../../wire/index.js";
import type { AnyTypes, NeutralTypes } from "../neutral-types.js";
import type { ServerContext } from "./context-types.js";
import type { MakeContext } from "./facade-context.js";

export const COMPLETIONS = "completions";

/** The properties of a configuration that decide who can see and use the registered item. */
export interface AccessConfig<Types extends NeutralTypes> {
  /**
   * Returns true if a request can see the item. For all other requests, the item does not exist: it is not listed, and
   * requests to use it are answered as for an unknown item. Base the decision on `ctx.auth`. A client that serves
   * several senders must not share lists between them.
   */
  readonly visible?: ((ctx: ServerContext<Types>) => boolean) | undefined;
  /**
   * The scopes that a request needs to use the item, checked before the handler is called. A request over HTTP that
   * lacks them is refused with 403 and a challenge that names them all (MCP: authorization, scope challenge handling).
   * There are no scopes over stdio.
   */
  readonly scopes?: readonly string[] | undefined;
}

export interface RegistrationConfig extends AccessConfig<AnyTypes> {
  readonly name?: string;
  /** True for the definitions in a contract, which can have members that no revision has. */
  readonly isOpen?: boolean | undefined;
}

export interface RegistrationHost {
  readonly contextOf: MakeContext;
  readonly schemas: Schemas;
  readonly hideForbidden: boolean;
  readonly ignoreUnknown: boolean;
  readonly report: (error: Error) => void;
  /** Records a definition. Reserved keys in its `_meta` are reported when the server is connected. */
  note(definition: object): void;
  /**
   * Returns the members that a list's items have in the newest revision, or undefined if the server does not serve that
   * revision.
   */
  membersOf(family: Family): readonly string[] | undefined;
  /**
   * Adds something to features, which the server declares from then on.
   * @param features - names of the features' capabilities
   * @throws TypeError if it is too late to declare a feature
   */
  use<Added>(features: readonly string[], add: () => Added): Added;
}

export interface Adapted<Definition, Given extends readonly unknown[]> {
  readonly definition: Definition;
  readonly given: Given;
  readonly completes?: boolean;
}

export interface Kind<
  Config extends RegistrationConfig,
  Definition,
  Given extends readonly unknown[],
> {
  readonly family: Family;
  /** The capability of the feature that registers the definitions. */
  readonly feature: string;
  /** The properties that a configuration can have in addition to those of its definition. */
  readonly names: readonly string[];
  readonly adapt: (config: Config) => Adapted<Definition, Given>;
  readonly add: (definition: Definition, ...given: Given) => Registration<Definition, Given>;
}

/** The handle of a registered definition, as its author sees it. */
export interface Handle<Definition> {
  /** The definition as clients list it. */
  readonly definition: Definition;
  readonly enabled: boolean;
  /** Lists the definition again. */
  enable(): void;
  /** Hides the definition, so that clients can neither list nor use it. */
  disable(): void;
  remove(): void;
}

export interface RegistrationHandle<Config, Definition> extends Handle<Definition> {
  readonly name: string | undefined;
  update(changes: Partial<Config> & { readonly enabled?: boolean }): void;
}

export function register<
  Config extends RegistrationConfig,
  Definition,
  Given extends readonly unknown[],
>(
  config: Config,
  kind: Kind<Config, Definition, Given>,
  host: RegistrationHost,
): RegistrationHandle<Config, Definition> {
  const { feature, add, family } = kind;
  const adapt = (changed: Config): Adapted<Definition, Given> => {
    const known = knownMembers(changed, kind, host);
    host.note(known);
    return kind.adapt(known);
  };
  let current = config;
  const use = <Result>({ completes }: Adapted<Definition, Given>, change: () => Result): Result =>
    host.use(completes ? [feature, COMPLETIONS] : [feature], change);
  const rule = ruleOf(config, family, host);
  const first = adapt(config);
  const added = use(first, () => add(first.definition, ...first.given));
  added.restrict(rule);
  return {
    get name() {
      return current.name;
    },
    get definition() {
      return added.definition;
    },
    get enabled() {
      return added.isEnabled;
    },
    update({ enabled, ...changes }) {
      if (Object.keys(changes).length > 0) {
        const next: Config = { ...current, ...changes };
        const access = ruleOf(next, family, host);
        const changed = adapt(next);
        use(changed, () => added.replace(changed.definition, ...changed.given));
        added.restrict(access);
        current = next;
      }
      if (enabled === true) added.enable();
      if (enabled === false) added.disable();
    },
    enable: () => added.enable(),
    disable: () => added.disable(),
    remove: () => added.remove(),
  };
}

function knownMembers<Config extends RegistrationConfig>(
  config: Config,
  { family, names }: Pick<Kind<never, never, never>, "family" | "names">,
  host: RegistrationHost,
): Config {
  const { isOpen, ...given } = config;
  const members = host.membersOf(family);
  if (isOpen || members === undefined) return given as Config;
  const known = [...members, ...names, "visible", "scopes"];
  if (!host.ignoreUnknown) {
    assertKnownNames(given, known, `the ${family.noun} ${labelOf(given, family)}`);
    return given as Config;
  }
  const kept = Object.entries(given).filter(([name]) => known.includes(name));
  return Object.fromEntries(kept) as Config;
}

export function labelOf(config: object, { key }: Family): string {
  const members = config as Readonly<Record<string, unknown>>;
  return quote(String(members["name"] ?? members[key]));
}

export function callbackOf(
  callback: unknown,
  what: string,
  usage: string,
): (...args: unknown[]) => unknown {
  if (typeof callback === "function") return callback as (...args: unknown[]) => unknown;
  throw new TypeError(`${what} is not a function: ${usage}`);
}

export function described<Members extends object>({
  visible: _visible,
  scopes: _scopes,
  ...members
}: Members & Partial<RegistrationConfig>): object {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

export type SomeCompleters = Completers<ServerContext<AnyTypes>>;

export function adaptCompleters(
  completers: SomeCompleters | undefined,
  contextOf: MakeContext,
): Completers<HandlerContext> | undefined {
  const entries = Object.entries(completers ?? {});
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map(([name, complete]): [string, Completers<HandlerContext>[string]] => [
      name,
      complete &&
        ((value, call) =>
          complete(value, { arguments: call.arguments, context: contextOf(call.context) })),
    ]),
  );
}

function ruleOf(
  config: RegistrationConfig,
  family: Family,
  { contextOf, hideForbidden }: RegistrationHost,
): AccessRule {
  const { visible, scopes } = config;
  checkedRule({ visible, scopes }, `the ${family.noun} ${labelOf(config, family)}`);
  const hides = hideForbidden && scopes !== undefined;
  if (visible === undefined && !hides) return { scopes };
  return {
    scopes,
    visible: (context) =>
      (!hides || isPermitted(context, scopes)) && (visible?.(contextOf(context)) ?? true),
  };
}
