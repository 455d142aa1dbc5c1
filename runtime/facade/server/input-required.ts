import {
  type InputRequest,
  type InputRequired,
  inputRequired as required,
} from "../../api/index.js";
import { webUrl } from "../../features/index.js";
import type { FormOrSchema, FormQuestion, UrlQuestion } from "./context-types.js";
import type { AnyTypes } from "./neutral-types.js";
import { formOf } from "./form-of.js";
import { isOfLibrary, readSchema } from "./read-schema.js";

/**
 * Input that a handler needs before it can return its result: questions, a state to remember, or
 * both.
 */
export interface RequiredInput {
  /** Questions, by names of your choice. */
  readonly requests?: Readonly<Record<string, InputRequest>> | undefined;
  /** Another name for `requests`. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>> | undefined;
  /** Anything that can be written as JSON; nobody but this server can read or change it on its way. */
  readonly state?: unknown;
  /** Another name for `state`. */
  readonly requestState?: unknown;
}

/** Questions as handlers return them: also where the result type of the protocol is declared. */
export type Asking = InputRequired & {
  readonly inputRequests?: Anything;
  readonly [member: string]: Anything;
};

type Anything = AnyTypes["clientRequests"];

interface MakeQuestions {
  /**
   * Builds the value that a handler returns to ask the client first. The handler is called again
   * with the answers in `ctx.answers` and the state in `ctx.state`, at every revision (MCP: multi
   * round trips).
   * @throws TypeError when there is nothing to ask and nothing to remember
   */
  (needed: RequiredInput): Asking;
  /**
   * Asks the user to fill in a form.
   * @throws TypeError for what is no form
   */
  readonly elicit: (question: FormQuestion<FormOrSchema>) => InputRequest;
  /**
   * Asks to send the user to a web page.
   * @throws TypeError for a URL that is not of the web
   */
  readonly elicitUrl: (question: UrlQuestion) => InputRequest;
  /**
   * Asks the client's model.
   * @deprecated Sampling is deprecated since 2026-07-28: call a model of your own from the server.
   */
  readonly createMessage: (params: object) => InputRequest;
  /**
   * Lists the places that the client opens.
   * @deprecated Roots are deprecated since 2026-07-28: take locations as arguments, resource URIs or configuration.
   */
  readonly listRoots: () => InputRequest;
}

/**
 * Builds the value that a handler returns to ask the client, and the questions in it.
 *
 * @example
 * ```ts
 * const form = z.object({ sure: z.boolean() });
 * server.registerTool("clear", { description: "Deletes all notes" }, (ctx) => {
 *   if (ctx.answers["sure"] === undefined) {
 *     const sure = inputRequired.elicit({ message: "Delete all?", requestedSchema: form });
 *     return inputRequired({ requests: { sure } });
 *   }
 *   return acceptedContent(ctx.answers, "sure", form)?.sure ? "Deleted" : "Kept";
 * });
 * ```
 */
export const inputRequired: MakeQuestions = /* @__PURE__ */ Object.assign(
  ({ requests, inputRequests, state, requestState }: RequiredInput) =>
    required({
      requests: requests ?? inputRequests,
      state: state ?? requestState,
    }) as unknown as Asking,
  {
    elicit: ({ message, requestedSchema }: FormQuestion<FormOrSchema>): InputRequest => ({
      method: "elicitation/create",
      params: { message, requestedSchema: formFor(requestedSchema) },
    }),
    elicitUrl: ({ message, url, elicitationId }: UrlQuestion): InputRequest => ({
      method: "elicitation/create",
      params: {
        mode: "url",
        message,
        url: webUrl(url),
        ...(elicitationId === undefined ? {} : { elicitationId }),
      },
    }),
    createMessage: (params: object): InputRequest => ({ method: "sampling/createMessage", params }),
    listRoots: (): InputRequest => ({ method: "roots/list" }),
  },
);

function formFor(schema: FormOrSchema): object {
  return isOfLibrary(schema)
    ? formOf(readSchema(schema, "input", "the requestedSchema").json)
    : schema;
}
