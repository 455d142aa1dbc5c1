import type {
  CompleteResourceTemplateCallback,
  ListResourcesCallback,
} from "./adapted-callbacks.js";

/** A URI template with the members of the SDK's class. */
interface TemplateText {
  toString(): string;
}

/** Callbacks of a template in addition to reading. */
export interface ResourceTemplateCallbacks {
  /** Lists the resources of the template; undefined if they are not listed. */
  list: ListResourcesCallback | undefined;
  /** Completions of variables, by name. */
  complete?: Record<string, CompleteResourceTemplateCallback> | undefined;
}

/** A resource template, by its URI template (RFC 6570). */
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

  /** Completes a variable. */
  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined {
    return this._callbacks.complete?.[variable];
  }

  /** Names of the variables with completions. */
  get completeVariables(): string[] {
    return Object.keys(this._callbacks.complete ?? {});
  }
}
