import type { ScopeChallengeHandler } from "./auth/scope-challenge.js";
import type { Icon, Prompt, Resource, Tool, ToolAnnotations } from "../shared/index.js";
import type {
  ArgumentsSchema,
  PromptCallback,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  ToolCallback,
} from "./adapted-callbacks.js";
import type { ResourceTemplate } from "./resource-template.js";
import type { CacheHint } from "./server-options.js";
import type { Callback } from "../shared/internal/index.js";

/** The description of a resource or a template, without its name and URI. */
export type ResourceMetadata = Partial<Omit<Resource, "uri" | "name">> & {
  cacheHint?: CacheHint | undefined;
  /** Returns the scopes that a request lacks; called before each read. */
  scopeChallenge?: ScopeChallengeHandler | null | undefined;
};

interface Handle {
  readonly enabled: boolean;
  readonly definition: object;
  update(changes: object): void;
  enable(): void;
  disable(): void;
  remove(): void;
}

export type RegistrationsByKey<One> = Record<string, One>;

/** Returns an object without a prototype, so that names such as `toString` do not appear to be registered. */
export function noRegistrations<One>(): RegistrationsByKey<One> {
  return Object.create(null) as RegistrationsByKey<One>;
}

/** Properties of a registration that programs can read but clients do not receive. */
export interface RegistrationParts {
  readonly inputSchema?: ArgumentsSchema | undefined;
  readonly outputSchema?: ArgumentsSchema | undefined;
  readonly argsSchema?: ArgumentsSchema | undefined;
  readonly handler?: Callback | undefined;
}

/** A registered item, as returned by the function that registers it. */
export class Registration<Definition, Changes extends { name?: string | null | undefined }> {
  inputSchema?: ArgumentsSchema | undefined;
  outputSchema?: ArgumentsSchema | undefined;
  argsSchema?: ArgumentsSchema | undefined;
  handler?: Callback | undefined;
  private readonly _handle: Handle;
  private readonly _adapt: (changes: object) => object;
  private readonly _all: RegistrationsByKey<unknown>;
  private _key: string;

  /** @param adapt - converts changes from the SDK's form to the runtime's */
  constructor(
    all: RegistrationsByKey<unknown>,
    key: string,
    handle: unknown,
    parts: RegistrationParts,
    adapt: (changes: object) => object,
  ) {
    this._all = all;
    this._key = key;
    this._handle = handle as Handle;
    this._adapt = adapt;
    Object.assign(this, parts);
    all[key] = this;
  }

  /** The definition that clients receive in lists. */
  get definition(): Definition {
    return this._handle.definition as Definition;
  }

  get title(): string | undefined {
    return (this._handle.definition as { title?: string }).title;
  }

  get description(): string | undefined {
    return (this._handle.definition as { description?: string }).description;
  }

  get _meta(): Record<string, unknown> | undefined {
    const { _meta: meta } = this._handle.definition as { _meta?: Record<string, unknown> };
    return meta;
  }

  get enabled(): boolean {
    return this._handle.enabled;
  }

  /** Replaces the properties that are passed. A null name removes the registration. */
  update(changes: Changes): void {
    const { name, metadata, ...others } = changes as Changed;
    const { uri } = others;

    if (name === null || uri === null) return this.remove();
    const all = this._adapt({ ...others, ...(name === undefined ? {} : { name }) });
    const defined = Object.entries(all).filter(([, value]) => value !== undefined);
    this._handle.update({ ...metadata, ...Object.fromEntries(defined) });
    const parts = { ...others, inputSchema: others.paramsSchema, handler: others.callback };
    Object.assign(this, ...PARTS.map((part) => parts[part] && { [part]: parts[part] }));
    const key = this._isResource ? uri : name;
    if (typeof key !== "string" || key === this._key) return;
    if (this._all[this._key] === this) delete this._all[this._key];
    this._key = key;
    this._all[key] = this;
  }

  /** Enables the item, so that clients can see and use it again. */
  enable(): void {
    this._handle.enable();
  }

  /** Disables the item, so that clients can neither list nor use it. */
  disable(): void {
    this._handle.disable();
  }

  remove(): void {
    this._handle.remove();
    if (this._all[this._key] === this) delete this._all[this._key];
  }

  /** True for a resource, which is registered under its URI. Other items are registered under their names. */
  private get _isResource(): boolean {
    return "uri" in this._handle.definition;
  }
}

const PARTS = ["inputSchema", "outputSchema", "argsSchema", "handler"] as const;

interface Changed extends RegistrationParts {
  readonly name?: string | null;
  readonly uri?: unknown;
  readonly metadata?: object;
  readonly paramsSchema?: ArgumentsSchema;
  readonly callback?: Callback;
}

interface CommonChanges {
  name?: string | null | undefined;
  title?: string | undefined;
  description?: string | undefined;
  icons?: Icon[] | undefined;
  _meta?: Record<string, unknown> | undefined;
  enabled?: boolean | undefined;
}

/** Registered tool. */
export type RegisteredTool = Registration<
  Tool,
  CommonChanges & {
    paramsSchema?: ArgumentsSchema | undefined;
    outputSchema?: ArgumentsSchema | undefined;
    annotations?: ToolAnnotations | undefined;
    // oxlint-disable-next-line no-explicit-any
    callback?: ToolCallback<any> | undefined;
  }
>;

/** Registered prompt. */
export type RegisteredPrompt = Registration<
  Prompt,
  CommonChanges & {
    argsSchema?: ArgumentsSchema | undefined;
    // oxlint-disable-next-line no-explicit-any
    callback?: PromptCallback<any> | undefined;
  }
>;

/** Registered resource. */
export type RegisteredResource = Registration<
  Resource,
  CommonChanges & {
    uri?: string | null | undefined;
    metadata?: ResourceMetadata | undefined;
    callback?: ReadResourceCallback | undefined;
  }
>;

/** Registered resource template. */
export type RegisteredResourceTemplate = Registration<
  object,
  CommonChanges & {
    template?: ResourceTemplate | undefined;
    metadata?: ResourceMetadata | undefined;
    callback?: ReadResourceTemplateCallback | undefined;
  }
>;
