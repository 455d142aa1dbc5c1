import type { ScopeChallengeHandler } from "./scope-challenge.js";
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

/** Description of a resource or a template, without its name and URI. */
export type ResourceMetadata = Partial<Omit<Resource, "uri" | "name">> & {
  cacheHint?: CacheHint | undefined;
  /** Returns the scopes that a request lacks; called before each read. */
  scopeChallenge?: ScopeChallengeHandler | null | undefined;
};

/** Runtime handle of a registration. */
interface Handle {
  readonly enabled: boolean;
  readonly definition: object;
  update(changes: object): void;
  enable(): void;
  disable(): void;
  remove(): void;
}

/** A registration, as returned to its caller. */
export class Registration<Definition, Changes extends { name?: string | null | undefined }> {
  private readonly _handle: Handle;
  private readonly _adapt: (changes: object) => object;

  /** @param adapt - converts changes of the SDK's shape to the runtime's */
  constructor(handle: unknown, adapt: (changes: object) => object) {
    this._handle = handle as Handle;
    this._adapt = adapt;
  }

  /** Definition as clients list it. */
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

  /** Replaces the members that are passed; a name of null removes the registration. */
  update(changes: Changes): void {
    const { name, ...others } = changes;
    if (name === null) return this.remove();
    const all = this._adapt({ ...others, ...(name === undefined ? {} : { name }) });
    const defined = Object.entries(all).filter(([, value]) => value !== undefined);
    this._handle.update(Object.fromEntries(defined));
  }

  /** Enables it: clients see it again. */
  enable(): void {
    this._handle.enable();
  }

  /** Disables it: clients can neither list nor use it. */
  disable(): void {
    this._handle.disable();
  }

  remove(): void {
    this._handle.remove();
  }
}

interface CommonChanges {
  name?: string | null | undefined;
  title?: string | undefined;
  description?: string | undefined;
  icons?: Icon[] | undefined;
  _meta?: Record<string, unknown> | undefined;
  enabled?: boolean | undefined;
}

/** A registered tool. */
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

/** A registered prompt. */
export type RegisteredPrompt = Registration<
  Prompt,
  CommonChanges & {
    argsSchema?: ArgumentsSchema | undefined;
    // oxlint-disable-next-line no-explicit-any
    callback?: PromptCallback<any> | undefined;
  }
>;

/** A registered resource. */
export type RegisteredResource = Registration<
  Resource,
  CommonChanges & {
    uri?: string | null | undefined;
    metadata?: ResourceMetadata | undefined;
    callback?: ReadResourceCallback | undefined;
  }
>;

/** A registered resource template. */
export type RegisteredResourceTemplate = Registration<
  object,
  CommonChanges & {
    template?: ResourceTemplate | undefined;
    metadata?: ResourceMetadata | undefined;
    callback?: ReadResourceTemplateCallback | undefined;
  }
>;
