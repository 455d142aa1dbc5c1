import { type HandlerContext, inputRequired, OutcomeError } from "../../api/index.js";
import { INTERNAL_ERROR, RpcError, isObject } from "../../wire/index.js";
import { errorResult } from "../tool-calls.js";
import { URL_ELICITATION_REQUIRED, type UrlElicitation } from "./elicitations.js";
import { knowsCompletion, webUrl } from "./open-elicitations.js";

const METHOD = "elicitation/create";
const CAPABILITIES = { elicitation: { url: {} } };

/**
 * Thrown by a handler that cannot continue before the user has visited a web page (MCP: elicitation, URL mode). The
 * client receives the URL and sends its request again later. In revisions that embed requests in results, the result
 * requests that the client open the page: the call fails if the user declines, and is otherwise repeated until the
 * handler no longer throws. In revisions that have neither, and for clients that do not open pages, only the message is
 * sent; for a tool, it is a result for the model.
 */
export class UrlElicitationRequiredError extends OutcomeError {
  static override readonly errorName: string = "UrlElicitationRequiredError";
  /**
   * The elicitations with their ids. The ids are not sent in revisions without a notification for completed
   * elicitations.
   */
  readonly elicitations: readonly (UrlElicitation & { readonly elicitationId: string })[];

  /**
   * Creates the error.
   *
   * @param requests - at least one; ids are random by default
   * @throws TypeError if there are no requests, or if a URL is not an http(s) URL
   */
  constructor(
    requests: readonly Pick<UrlElicitation, "message" | "url" | "elicitationId">[],
    message = "The user has to visit a web page first",
  ) {
    if (requests.length === 0) throw new TypeError("At least one elicitation is needed");
    const elicitations = requests.map((request) => ({
      mode: "url" as const,
      message: request.message,
      url: webUrl(request.url),
      elicitationId: request.elicitationId ?? crypto.randomUUID(),
    }));
    super(URL_ELICITATION_REQUIRED, message, { elicitations });
    this.elicitations = elicitations;
  }

  override outcomeFor(context: HandlerContext): unknown {
    const { revision, peer } = context.session;
    const { errorCodes, traits } = revision;
    const { elicitation } = peer.capabilities;
    const opensPages = isObject(elicitation) && isObject(elicitation["url"]);
    const mayOpenPages = opensPages || peer.info === undefined;
    if (mayOpenPages && errorCodes["URL_ELICITATION_REQUIRED"] !== undefined) return this;
    if (traits.serverRequests !== "embedded") return this.#refusal(context);
    if (opensPages) return this.#requests(context);
    const code = errorCodes["MISSING_REQUIRED_CLIENT_CAPABILITY"] ?? INTERNAL_ERROR;
    return new RpcError(code, this.message, { requiredCapabilities: CAPABILITIES });
  }

  /**
   * Requests the pages that the user has not opened yet. If there are none, the client repeats the call a little later.
   */
  #requests(context: HandlerContext): unknown {
    const { answers, session, state } = context;
    const known = knowsCompletion(session.revision);
    const visited = isObject(state) ? state["visitedPages"] : undefined;
    const requests: Record<string, { method: string; params: object }> = {};
    for (const { elicitationId, ...page } of this.elicitations) {
      const name = `visit ${page.url}`;
      const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
      if (answer !== undefined) {
        if (!isObject(answer) || answer["action"] !== "accept") return this.#refusal(context);
      } else if (!Array.isArray(visited) || !visited.includes(page.url))
        requests[name] = { method: METHOD, params: known ? { ...page, elicitationId } : page };
    }
    // If the handler has a state of its own, that state is kept instead.
    const own = { visitedPages: this.elicitations.map(({ url }) => url) };
    return inputRequired({ requests, state: visited || state === undefined ? own : state });
  }

  #refusal({ method }: HandlerContext): unknown {
    return method === "tools/call"
      ? errorResult(this.message)
      : new RpcError(INTERNAL_ERROR, this.message);
  }
}
