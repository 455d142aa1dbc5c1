import { INTERNAL_ERROR, RpcError, isObject, isWebUrl } from "../../wire/index.js";
import type { HandlerContext } from "../../api/index.js";
import type { UrlElicitation } from "./elicitation-types.js";
import { idFor } from "./elicit.js";
import { webUrl } from "./web-url.js";

const URL_ELICITATION_REQUIRED = -32042;

/**
 * Thrown by a handler that cannot go on before the user has been to a web page: the client learns which one, and
 * asks again later (MCP: elicitation, URL mode). Under revisions that do not have that, the client only gets the
 * message, without any URL.
 */
export class UrlElicitationRequiredError extends RpcError {
  override readonly name: string = "UrlElicitationRequiredError";
  /** Elicitations as they are sent, with the ids for `completeElicitation`. */
  readonly elicitations: readonly UrlElicitation[];

  /**
   * @param context - of the request that cannot go on
   * @param requests - at least one; ids are random unless given
   * @throws TypeError for a URL that is not of the web, and without any
   */
  constructor(
    { session }: HandlerContext,
    requests: readonly Pick<UrlElicitation, "message" | "url" | "elicitationId">[],
    message = "The user has to visit a web page first",
  ) {
    if (requests.length === 0) throw new TypeError("At least one elicitation is needed");
    const { revision } = session;
    const code = revision.errorCodes["URL_ELICITATION_REQUIRED"];
    const elicitations = requests.map((request) => ({
      mode: "url" as const,
      message: request.message,
      url: webUrl(request.url),
      ...idFor(revision, request),
    }));
    super(code ?? INTERNAL_ERROR, message, code === undefined ? undefined : { elicitations });
    this.elicitations = elicitations;
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
