import type { ReadContents, ReadResource, ReadTemplate } from "../../features/index.js";
import type { Freshness, HandlerContext } from "../../api/index.js";
import { quote } from "../../wire/index.js";
import { assertAskable } from "./assert-askable.js";
import type { MakeContext } from "./facade-context.js";
import { type ReadFacts, readResult } from "./read-result.js";
import { whenDone } from "./when-done.js";

/** Facts about a resource or family besides its name and its URI. */
export interface ResourceFacts {
  readonly mimeType?: string | undefined;
  readonly cacheHint?: Freshness | undefined;
}

type Outcome = ReadContents | undefined;
type Callback = (...args: unknown[]) => unknown;

/** @throws TypeError for what is no function */
export function adaptRead(
  name: string,
  read: unknown,
  facts: ResourceFacts,
  contextOf: MakeContext,
): ReadResource<ReadContents, HandlerContext> {
  const callback = callbackOf(name, read);
  return (uri, context) => {
    const url = urlOf(uri);
    return url && finish(callback(url, contextOf(context)), context, { ...facts, uri });
  };
}

/** @throws TypeError for what is no function */
export function adaptReadTemplate(
  name: string,
  read: unknown,
  facts: ResourceFacts,
  contextOf: MakeContext,
): ReadTemplate<ReadContents, HandlerContext> {
  const callback = callbackOf(name, read);
  return (uri, { values }, context) => {
    const url = urlOf(uri);
    return url && finish(callback(url, values, contextOf(context)), context, { ...facts, uri });
  };
}

function finish(
  outcome: unknown,
  context: HandlerContext,
  facts: ReadFacts,
): Outcome | Promise<Outcome> {
  return whenDone(outcome, (value) => {
    assertAskable(value, context);
    return readResult(value ?? undefined, facts) as Outcome;
  });
}

function callbackOf(name: string, read: unknown): Callback {
  if (typeof read === "function") return read as Callback;
  throw new TypeError(
    `What reads the resource ${quote(name)} is not a function: registerResource(name, uri, config, read)`,
  );
}

/** Some URIs that a template matches are none for the platform: there is no such resource. */
function urlOf(uri: string): URL | undefined {
  try {
    return new URL(uri);
  } catch {
    return undefined;
  }
}
