import type { Feature, RequestHandler } from "../../api/index.js";
import {
  Elicitation,
  type ElicitationOptions,
  Roots,
  Sampling,
  type SamplingRequest,
} from "../../features/index.js";
import type { Answers } from "./client-options.js";

/** Handlers and helpers with which a client answers the server. */
export interface AnswerFeatures {
  /** Feature that opens pages, where this client does that. */
  readonly elicitation: Elicitation | undefined;
  readonly features: readonly Feature[];
}

/**
 * @param heard - called for pages that users have been to, before the caller's own `oncomplete`
 * @throws TypeError for `roots` and `onRoots` together, and for roots that are none
 */
export function answerFeatures(
  { onElicit, onSample, sampling, roots, onRoots }: Answers,
  heard: (elicitationId: string) => void,
): AnswerFeatures {
  if (roots && onRoots) throw new TypeError("Give roots or onRoots, not both");
  const elicitation = onElicit && elicitationOf(onElicit, heard);
  const handler = onSample as RequestHandler<SamplingRequest, object> | undefined;
  const features = [
    elicitation,
    handler && new Sampling(handler, sampling),
    roots && (roots instanceof Roots ? roots : new Roots(roots)),
    onRoots && rootsFrom(onRoots),
  ];
  const opensPages = typeof onElicit === "function" || onElicit?.url !== undefined;
  return {
    elicitation: opensPages ? elicitation : undefined,
    features: features.filter((feature) => feature !== undefined),
  };
}

function elicitationOf(
  given: NonNullable<Answers["onElicit"]>,
  heard: (elicitationId: string) => void,
): Elicitation {
  const options: ElicitationOptions =
    typeof given === "function" ? { form: given, url: given } : given;
  return new Elicitation({
    ...options,
    oncomplete: (id, context) => {
      heard(id);
      return options.oncomplete?.(id, context);
    },
  });
}

function rootsFrom(list: NonNullable<Answers["onRoots"]>): Feature {
  return {
    handlers: {
      "roots/list": async (_params, context) => {
        const listed: unknown = await list(context);
        return Array.isArray(listed) ? { roots: listed } : listed;
      },
    },
  };
}
