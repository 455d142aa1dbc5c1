import type {
  CompleteResourceTemplateCallback,
  ListResourcesCallback,
} from "./adapted-callbacks.js";

interface TemplateText {
  toString(): string;
}

export interface ResourceTemplateCallbacks {
  /** A function that lists the template's resources, or undefined if they cannot be listed. */
  list: ListResourcesCallback | undefined;
  /** Maps variable names to functions that suggest values. */
  complete?: Record<string, CompleteResourceTemplateCallback> | undefined;
}

/** A resource template, defined by a URI template (RFC 6570). */
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

  /** Returns the function that suggests values for a variable. */
  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined {
    return this._callbacks.complete?.[variable];
  }

  /** The names of the variables that have suggestions. */
  get completeVariables(): string[] {
    return Object.keys(this._callbacks.complete ?? {});
  }
}
