import { INTERNAL_ERROR, RpcError, isObject, isWebUrl } from "../../wire/index.js";
import { type HandlerContext, OutcomeError, inputRequired } from "../../api/index.js";
import { errorResult } from "../error-result.js";
import type { UrlElicitation } from "./elicitation-types.js";
import { knowsCompletion, startedElicitations } from "./started-elicitations.js";
import { webUrl } from "./web-url.js";

const URL_ELICITATION_REQUIRED = -32042;
const METHOD = "elicitation/create";
const CAPABILITIES = { elicitation: { url: {} } };

/**
 * Thrown by a handler that cannot go on before the user has been to a web page (MCP: elicitation, URL mode). The client
 * learns which one, and asks again later. Where questions travel inside results, they are such questions: the request
 * fails when the user declines, and is otherwise repeated until the handler no longer throws. Where neither exists, or the
 * client opens no pages, the client gets the message without any URL; in a tool, as a result for the model.
 */
export class UrlElicitationRequiredError extends OutcomeError {
  override readonly name: string = "UrlElicitationRequiredError";
  /** Elicitations with the ids of their completion, which revisions without completions do not send. */
  readonly elicitations: readonly (UrlElicitation & { readonly elicitationId: string })[];

  /**
   * @param requests - at least one; ids are random unless given
   * @throws TypeError for a URL that is not of the web, and without any
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
    if (mayOpenPages && errorCodes["URL_ELICITATION_REQUIRED"] !== undefined) {
      for (const { elicitationId } of this.elicitations)
        startedElicitations.add(context.session, elicitationId);
      return this;
    }
    if (traits.serverRequests !== "embedded") return this.#told(context);
    if (opensPages) return this.#questions(context);
    const code = errorCodes["MISSING_REQUIRED_CLIENT_CAPABILITY"] ?? INTERNAL_ERROR;
    return new RpcError(code, this.message, { requiredCapabilities: CAPABILITIES });
  }

  /** The pages that the user has not been asked about; without any, the request is repeated a little later. */
  #questions(context: HandlerContext): unknown {
    const { answers, session } = context;
    const known = knowsCompletion(session.revision);
    const requests: Record<string, { method: string; params: object }> = {};
    for (const { elicitationId, ...page } of this.elicitations) {
      const name = `visit ${page.url}`;
      const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
      if (answer === undefined)
        requests[name] = { method: METHOD, params: known ? { ...page, elicitationId } : page };
      else if (!isObject(answer) || answer["action"] !== "accept") return this.#told(context);
    }
    return inputRequired({ requests, state: context.state ?? true });
  }

  #told({ method }: HandlerContext): unknown {
    return method === "tools/call"
      ? errorResult(this.message)
      : new RpcError(INTERNAL_ERROR, this.message);
  }
}

/**
 * URL elicitations that a request was refused for; empty for any other error.
 * @param error - that a request of a client rejected with
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
