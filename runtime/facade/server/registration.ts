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

/** Capability of servers that serve suggestions. */
export const COMPLETIONS = "completions";

/** Members of a configuration that decide who can see and use the registered item. */
export interface AccessConfig<Types extends NeutralTypes> {
  /**
   * Returns true for requests that can see the item. For others the item does not exist: it is not listed, and
   * requests to use it are answered as for an unknown item. Decide from `ctx.auth`; a client that serves several
   * senders must not share lists among them.
   */
  readonly visible?: ((ctx: ServerContext<Types>) => boolean) | undefined;
  /**
   * Scopes that a request needs to use the item, checked before the handler is called. Without them, a request over
   * HTTP is refused with 403 and a challenge that names them all (MCP: authorization, scope challenge handling). Over
   * stdio there are no scopes.
   */
  readonly scopes?: readonly string[] | undefined;
}

/** Members that every configuration has. */
export interface RegistrationConfig extends AccessConfig<AnyTypes> {
  readonly name?: string;
  /** True for definitions of a contract, which can have members that no revision has. */
  readonly isOpen?: boolean | undefined;
}

/** Operations of the server that registrations need. */
export interface RegistrationHost {
  readonly contextOf: MakeContext;
  readonly schemas: Schemas;
  /** True to hide definitions for which the sender lacks scopes. */
  readonly hideForbidden: boolean;
  /** True to drop unknown members of configurations. */
  readonly ignoreUnknown: boolean;
  readonly report: (error: Error) => void;
  /** Notes a definition; reserved keys in its `_meta` are reported when the server is connected. */
  note(definition: object): void;
  /**
   * Returns the members that items of a list have in the newest revision; undefined if the server does not serve that
   * revision.
   */
  membersOf(family: Family): readonly string[] | undefined;
  /**
   * Adds something to features, which the server declares from then on.
   * @param features - by the names of their capabilities
   * @throws TypeError if it is too late for that, and as `add` does
   */
  use<Added>(features: readonly string[], add: () => Added): Added;
}

/** Definition and behaviour that a feature registers for a configuration. */
export interface Adapted<Definition, Given extends readonly unknown[]> {
  readonly definition: Definition;
  /** Values that the feature registers with the definition, such as its handler. */
  readonly given: Given;
  /** True if the definition has suggestions. */
  readonly completes?: boolean;
}

/**
 * A kind of registration: converts its configurations, and names the feature that registers the
 * result.
 */
export interface Kind<
  Config extends RegistrationConfig,
  Definition,
  Given extends readonly unknown[],
> {
  /** Family of methods that lists and uses the definitions. */
  readonly family: Family;
  /** Capability of the feature that registers them. */
  readonly feature: string;
  /** Members that a configuration can have in addition to those of its definition. */
  readonly names: readonly string[];
  /**
   * Converts a configuration to a definition.
   * @throws TypeError for an invalid configuration
   */
  readonly adapt: (config: Config) => Adapted<Definition, Given>;
  readonly add: (definition: Definition, ...given: Given) => Registration<Definition, Given>;
}

/** Handle of a registered definition, as its author sees it. */
export interface Handle<Definition> {
  /** Definition as clients list it. */
  readonly definition: Definition;
  readonly enabled: boolean;
  /** Lists the definition again. */
  enable(): void;
  /** Hides the definition, so that clients can neither list nor use it. */
  disable(): void;
  remove(): void;
}

/** Handle of something registered, for the code that registered it. */
export interface RegistrationHandle<Config, Definition> extends Handle<Definition> {
  readonly name: string | undefined;
  update(changes: Partial<Config> & { readonly enabled?: boolean }): void;
}

/**
 * Registers a configuration, and returns its handle.
 * @throws TypeError for an invalid configuration, or a name or URI that is registered already
 */
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

/**
 * Returns a configuration without unknown members.
 * @throws TypeError for a member that configurations of this kind do not have, unless the server ignores those
 */
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

/** Returns the name in a configuration, or else its key, for messages. */
export function labelOf(config: object, { key }: Family): string {
  const members = config as Readonly<Record<string, unknown>>;
  return quote(String(members["name"] ?? members[key]));
}

/**
 * Returns the callback of a configuration.
 * @throws TypeError if it is not a function
 */
export function callbackOf(
  callback: unknown,
  what: string,
  usage: string,
): (...args: unknown[]) => unknown {
  if (typeof callback === "function") return callback as (...args: unknown[]) => unknown;
  throw new TypeError(`${what} is not a function: ${usage}`);
}

/**
 * Returns the members of a definition: those of the configuration, without undefined members and without access
 * rules.
 */
export function described<Members extends object>({
  visible: _visible,
  scopes: _scopes,
  ...members
}: Members & Partial<RegistrationConfig>): object {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

export type SomeCompleters = Completers<ServerContext<AnyTypes>>;

/** Wraps completers so that they receive the context of the facade; returns undefined if there are none. */
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

/**
 * Returns the access rule of a configuration.
 * @throws TypeError if it is invalid
 */
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
