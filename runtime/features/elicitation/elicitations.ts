import type { ContentOf, FormContent, FormSchema } from "./forms.js";

/** The error code that a server uses to refuse a request until the user has visited a web page. */
export const URL_ELICITATION_REQUIRED = -32042;

/** A request for a few values, which the user enters in a form. */
export interface FormElicitation {
  readonly mode?: "form";
  readonly message: string;
  readonly requestedSchema: FormSchema;
}

/** A request to open a web page for the user. */
export interface UrlElicitation {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
  /** The id that `notifications/elicitation/complete` refers to; absent in revisions that lack it. */
  readonly elicitationId?: string;
}

/** The user's reaction to a form. Only `accept` has content. */
export type FormAnswer<Schema extends FormSchema = FormSchema> =
  | { readonly action: "accept"; readonly content: ContentOf<Schema> }
  | { readonly action: "decline" | "cancel"; readonly content?: never };

/** The user's reaction: `accept`, `decline` or `cancel`. */
export interface ElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  /** The content of the form. Present only with `accept`, and only for a form. */
  readonly content?: FormContent;
}

export function withoutContent({
  content: _content,
  ...others
}: ElicitationAnswer): ElicitationAnswer {
  return others;
}
