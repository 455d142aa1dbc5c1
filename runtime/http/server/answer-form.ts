import type { RequestHead } from "./exchange.js";
import { accepted } from "./media-types.js";
import type { HttpHandlerOptions } from "./options.js";
import type { AnswerForm } from "./post.js";

/** Form of the answer to a POST, by the types that the client accepts; undefined when there is none. */
export function answerForm(
  head: RequestHead,
  { responses = "auto", lenientAccept = false }: HttpHandlerOptions,
): AnswerForm | undefined {
  const accept = head.header("accept");
  const { json, events } = accepted(accept === undefined && lenientAccept ? "*/*" : accept);
  if (json && events) return responses === "auto" ? "lazy" : responses;
  if (!lenientAccept || (!json && !events)) return undefined;
  if (json) return "json";
  return responses === "json" ? undefined : "events";
}
