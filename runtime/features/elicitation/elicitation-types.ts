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
  /** Id that `notifications/elicitation/complete` refers to; absent at revisions that lack it. */
  readonly elicitationId?: string;
}

/** User's reaction to a form. Only `accept` has content. */
export type FormAnswer<Schema extends FormSchema = FormSchema> =
  | { readonly action: "accept"; readonly content: ContentOf<Schema> }
  | { readonly action: "decline" | "cancel"; readonly content?: never };

/** Content of a form, typed where the compiler knows the schema literally. */
export type ContentOf<Schema extends FormSchema> = Readonly<ObjectFromSchema<Schema, FormContent>>;

/** User's reaction: `accept`, `decline` or `cancel`. */
export interface ElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  /** Content of the form; only with `accept`, and only for a form. */
  readonly content?: FormContent;
}
