import type { ContentOf, FormContent, FormSchema } from "./forms.js";

/** Code of the error with which a server refuses a request until the user has visited a web page. */
export const URL_ELICITATION_REQUIRED = -32042;

/** Request for a few values by means of a form. */
export interface FormElicitation {
  readonly mode?: "form";
  readonly message: string;
  readonly requestedSchema: FormSchema;
}

/** Request to open a web page for the user. */
export interface UrlElicitation {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
  /** Id that `notifications/elicitation/complete` refers to; absent in revisions that lack it. */
  readonly elicitationId?: string;
}

/** User's reaction to a form. Only `accept` has content. */
export type FormAnswer<Schema extends FormSchema = FormSchema> =
  | { readonly action: "accept"; readonly content: ContentOf<Schema> }
  | { readonly action: "decline" | "cancel"; readonly content?: never };

/** User's reaction: `accept`, `decline` or `cancel`. */
export interface ElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  /** Content of the form; only with `accept`, and only for a form. */
  readonly content?: FormContent;
}

export function withoutContent(answer: ElicitationAnswer): ElicitationAnswer {
  const rest: { -readonly [Member in keyof ElicitationAnswer]: ElicitationAnswer[Member] } = {
    ...answer,
  };
  delete rest.content;
  return rest;
}
