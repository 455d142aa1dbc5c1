import type { FormContent, FormSchema } from "./form-schema.js";

/** Asks for a few values by means of a form. */
export interface FormElicitation {
  readonly mode?: "form";
  readonly message: string;
  readonly requestedSchema: FormSchema;
}

/** Asks to send the user to a web page. */
export interface UrlElicitation {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
  /** What `notifications/elicitation/complete` refers to; absent where the revision has no such thing. */
  readonly elicitationId?: string;
}

/** What the user did: agreed, refused, or did neither. */
export interface ElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  /** What was filled in; only with `accept`, and only for a form. */
  readonly content?: FormContent;
}
