import type { ObjectFromSchema } from "../from-schema.js";
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

/** What the user did with a form; only with `accept` is there something that was filled in. */
export type FormAnswer<Schema extends FormSchema = FormSchema> =
  | { readonly action: "accept"; readonly content: ContentOf<Schema> }
  | { readonly action: "decline" | "cancel"; readonly content?: never };

/** What a form asks for, where the compiler knows that literally. */
export type ContentOf<Schema extends FormSchema> = Readonly<ObjectFromSchema<Schema, FormContent>>;

/** What the user did: agreed, refused, or did neither. */
export interface ElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  /** What was filled in; only with `accept`, and only for a form. */
  readonly content?: FormContent;
}
