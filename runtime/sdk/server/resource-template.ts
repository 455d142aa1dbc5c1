import type {
  CompleteResourceTemplateCallback,
  ListResourcesCallback,
} from "./adapted-callbacks.js";

/** A template of URIs as the SDK's class has it. */
interface TemplateText {
  toString(): string;
}

/** Abilities of a family beside being read. */
export interface ResourceTemplateCallbacks {
  /** Lists its resources; undefined: they are not listed. */
  list: ListResourcesCallback | undefined;
  /** Suggestions for variables, by name. */
  complete?: Record<string, CompleteResourceTemplateCallback> | undefined;
}

/** A family of resources by the template of their URIs (RFC 6570). */
export class ResourceTemplate {
  private readonly _text: string;
  private readonly _callbacks: ResourceTemplateCallbacks;

  constructor(uriTemplate: string | TemplateText, callbacks: ResourceTemplateCallbacks) {
    this._text = String(uriTemplate);
    this._callbacks = callbacks;
  }

  get uriTemplate(): string {
    return this._text;
  }

  get listCallback(): ListResourcesCallback | undefined {
    return this._callbacks.list;
  }

  /** Suggestions for a variable. */
  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined {
    return this._callbacks.complete?.[variable];
  }

  /** Names of the variables that have suggestions. */
  get completeVariables(): string[] {
    return Object.keys(this._callbacks.complete ?? {});
  }
}
