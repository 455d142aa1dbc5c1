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

/** Description of a resource or a family beside its name and place. */
export type ResourceMetadata = Partial<Omit<Resource, "uri" | "name">> & {
  cacheHint?: CacheHint | undefined;
  /** Asked before each reading for the scopes that it lacks. */
  scopeChallenge?: ScopeChallengeHandler | null | undefined;
};

/** Handle of ours for something registered. */
interface Handle {
  readonly enabled: boolean;
  readonly definition: object;
  update(changes: object): void;
  enable(): void;
  disable(): void;
  remove(): void;
}

/** Something registered, in the hands of who did it. */
export class Registration<Definition, Changes extends { name?: string | null | undefined }> {
  private readonly _handle: Handle;
  private readonly _adapt: (changes: object) => object;

  /** @param adapt - makes changes of ours from those of the SDK */
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

  /** Replaces what is given; a name of null removes it. */
  update(changes: Changes): void {
    const { name, ...others } = changes;
    if (name === null) return this.remove();
    const all = this._adapt({ ...others, ...(name === undefined ? {} : { name }) });
    const defined = Object.entries(all).filter(([, value]) => value !== undefined);
    this._handle.update(Object.fromEntries(defined));
  }

  /** Lists it again. */
  enable(): void {
    this._handle.enable();
  }

  /** Keeps it from being listed and used. */
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

/** A registered family of resources. */
export type RegisteredResourceTemplate = Registration<
  object,
  CommonChanges & {
    template?: ResourceTemplate | undefined;
    metadata?: ResourceMetadata | undefined;
    callback?: ReadResourceTemplateCallback | undefined;
  }
>;
