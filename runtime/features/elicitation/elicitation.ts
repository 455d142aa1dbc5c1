import { invalidParams, summarize } from "../../engine/index.js";
import type {
  AnyHandler,
  Feature,
  HandlerContext,
  RequestHandler,
  Session,
} from "../../api/index.js";
import { type Revision, RpcError, isObject, isWebUrl, namesCapability } from "../../wire/index.js";
import {
  type ElicitationAnswer,
  type FormElicitation,
  URL_ELICITATION_REQUIRED,
  type UrlElicitation,
  withoutContent,
} from "./elicitations.js";
import { formIssues, withDefaults } from "./forms.js";
import { openElicitations } from "./open-elicitations.js";

const MODES = ["form", "url"] as const;

export interface ElicitationOptions<Context = HandlerContext> {
  /**
   * Shows a form to the user, who must be able to see which server requests it and to refuse. An answer that does not
   * match the form is not sent: the server receives -32603, and `onerror` receives the details.
   */
  readonly form?: RequestHandler<FormElicitation, ElicitationAnswer, Context> | undefined;
  /**
   * Shows the whole URL to the user, and opens it in the user's own browser if they agree. The handler must not fetch
   * the URL itself. `accept` only means that the page was opened.
   */
  readonly url?: RequestHandler<UrlElicitation, ElicitationAnswer, Context> | undefined;
  /** Called once if a server sends a notification that a URL elicitation has completed. Not all servers send it. */
  readonly oncomplete?:
    ((elicitationId: string, context: Context) => void | Promise<void>) | undefined;
  /** True to add a form's defaults to the answers that the `form` handler accepts. Default: false. */
  readonly applyDefaults?: boolean | undefined;
}

/**
 * Lets the user answer servers' requests. Pass it in the `features` option (MCP: elicitation). A mode without a handler
 * is not declared, and requests for it are refused.
 *
 * @typeParam Context - the handlers' context parameter: the revision's `ClientContext`
 */
export class Elicitation<Context extends HandlerContext = HandlerContext> implements Feature {
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly #options: ElicitationOptions<Context>;
  readonly #open = openElicitations();

  /**
   * Creates the feature.
   * @throws TypeError if no mode has a handler
   */
  constructor(options: ElicitationOptions<Context>) {
    if (!options.form && !options.url)
      throw new TypeError("Elicitation (onElicit) needs a handler: form, url, or both");
    this.#options = options;
    this.handlers = {
      "elicitation/create": (params, context) =>
        isUrlMode(params)
          ? this.#openPage(params, context as Context)
          : this.#fillIn(params as FormElicitation, context as Context),
      "notifications/elicitation/complete": (params, context) =>
        this.#complete((params as { elicitationId: string }).elicitationId, context as Context),
    };
  }

  readonly capabilities = (revision: Revision): object => {
    if (!revision.methods.has("elicitation/create")) return {};
    const known = MODES.filter((mode) => namesCapability(revision, `client.elicitation.${mode}`));
    if (known.length === 0) return { elicitation: this.#options.form ? {} : false };
    const modes = known.filter((mode) => this.#options[mode]);
    return { elicitation: Object.fromEntries(modes.map((mode) => [mode, {}])) };
  };

  /**
   * Registers an elicitation that a server required by refusing a request (see `urlElicitationsOf`), so that the
   * server's completion notification is recognized. Call this method when the user has agreed to open the page.
   */
  expect(session: Session, elicitationId: string): void {
    this.#open.add(session, elicitationId);
  }

  async #fillIn(params: FormElicitation, context: Context): Promise<ElicitationAnswer> {
    const { form, applyDefaults = false } = this.#options;
    if (!form) throw invalidParams("/mode: this client does not support forms");
    const answer = { ...(await form(params, context)) };
    if (answer.action !== "accept") return withoutContent(answer);
    const { content: given = {} } = answer;
    const content = applyDefaults ? withDefaults(params.requestedSchema, given) : given;
    const issues = formIssues(params.requestedSchema, content);
    if (issues.length > 0) {
      throw new TypeError(`The response does not match the requested form: ${summarize(issues)}`);
    }
    return { ...answer, content };
  }

  async #openPage(params: UrlElicitation, context: Context): Promise<ElicitationAnswer> {
    const { url } = this.#options;
    if (!url) throw invalidParams("/mode: this client does not open URLs");
    if (!isWebUrl(params.url)) throw invalidParams("/url: expected an http: or https: URL");
    const { elicitationId: id } = params;
    if (id !== undefined) this.#open.add(context.session, id);
    let isAccepted = false;
    try {
      const answer = { ...(await url(params, context)) };
      isAccepted = answer.action === "accept";
      return withoutContent(answer);
    } finally {
      if (!isAccepted && id !== undefined) this.#open.delete(context.session, id);
    }
  }

  #complete(id: string, context: Context): void | Promise<void> {
    if (this.#open.delete(context.session, id)) return this.#options.oncomplete?.(id, context);
  }
}

function isUrlMode(params: unknown): params is UrlElicitation {
  return (params as { mode?: unknown }).mode === "url";
}

/**
 * Returns the URL elicitations that caused a request to be refused, or an empty array for any other error.
 *
 * @param error - the error that a client's request rejected with
 */
export function urlElicitationsOf(error: unknown): readonly UrlElicitation[] {
  if (!(error instanceof RpcError) || error.code !== URL_ELICITATION_REQUIRED) return [];
  const { data } = error;
  const list: unknown = isObject(data) ? data["elicitations"] : undefined;
  return Array.isArray(list) ? list.filter(isUrlElicitation) : [];
}

function isUrlElicitation(value: unknown): value is UrlElicitation {
  return (
    isObject(value) &&
    value["mode"] === "url" &&
    typeof value["message"] === "string" &&
    typeof value["elicitationId"] === "string" &&
    typeof value["url"] === "string" &&
    isWebUrl(value["url"])
  );
}
