import type { Freshness, RouteSteps, StepSource } from "../../api/index.js";
import type { SideDefinition } from "../../engine/index.js";
import {
  META,
  type Method,
  type Revision,
  deriving,
  isObject,
  withoutServerInfo,
} from "../../wire/index.js";
import { extensionRules } from "../extensions.js";
import { commonRules } from "../message-rules.js";

export function statelessServerRules(definition: SideDefinition): StepSource[] {
  return [envelopeRules(definition), extensionRules, ...commonRules(definition)];
}

/**
 * Creates steps that add the envelope of results: the members that belong to the kind of conversation rather than to
 * the content.
 */
function envelopeRules({ info, options }: SideDefinition): StepSource {
  const { anonymous, freshness } = options;
  const meta = anonymous || info === undefined ? undefined : { [META.serverInfo]: info };
  return ({ revision, direction, row }): RouteSteps | undefined => {
    if (row.kind !== "request" || direction === "out") return undefined;
    const complete = completion(revision, row, freshness?.[row.method] ?? {}, meta);
    return { writeResult: deriving(complete) };
  };
}

/**
 * Creates a function that adds the members common to all results in a stateless revision. A handler may set them
 * itself, except for the server's info.
 */
function completion(
  { traits }: Revision,
  { cacheable }: Method,
  { ttlMs = 0, cacheScope = "private" }: Freshness,
  info: object | undefined,
): (result: unknown) => unknown {
  const isCacheable = traits.cacheable && cacheable;
  return (result) => {
    if (!isObject(result)) return result;
    const { resultType = "complete", _meta: meta } = result;
    const completed = withRoom(result, traits.resultType, isCacheable);
    if (traits.resultType) completed["resultType"] = resultType;
    if (isCacheable) {
      const isFinal = resultType === "complete";
      completed["ttlMs"] = isFinal ? (result["ttlMs"] ?? ttlMs) : undefined;
      completed["cacheScope"] = isFinal ? (result["cacheScope"] ?? cacheScope) : undefined;
    }
    if (meta === undefined) completed["_meta"] = info;
    else if (isObject(meta)) completed["_meta"] = { ...withoutServerInfo(meta), ...info };
    return completed;
  };
}

/**
 * Returns a copy that already has the members that will be added. Adding them to an existing copy would take V8
 * twenty times as long.
 */
function withRoom(
  result: Record<string, unknown>,
  hasType: boolean,
  isCacheable: boolean,
): Record<string, unknown> {
  const added = undefined;
  if (!hasType) return { _meta: added, ...result };
  if (!isCacheable) return { resultType: added, _meta: added, ...result };
  return { resultType: added, ttlMs: added, cacheScope: added, _meta: added, ...result };
}
