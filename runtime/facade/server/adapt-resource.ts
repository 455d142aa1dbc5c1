import type { ReadResource, ReadTemplate } from "../../features/resource-types.js";
import type { HandlerContext } from "../../handlers.js";
import type { ReadContents } from "../../features/resource-types.js";
import type { Freshness } from "../../options.js";
import { isThenable } from "../../thenable.js";
import { quote } from "../../jsonrpc.js";
import type { MakeContext } from "./facade-context.js";
import { readResult } from "./read-result.js";

/** What is told of a resource or family beside its name and where it is. */
export interface GivenFacts {
  readonly mimeType?: string | undefined;
  readonly cacheHint?: Freshness | undefined;
}

type Callback = (...args: unknown[]) => unknown;

/** @throws TypeError for what is no function */
export function adaptRead(
  name: string,
  read: unknown,
  facts: GivenFacts,
  contextOf: MakeContext,
): ReadResource<ReadContents, HandlerContext> {
  const callback = callbackOf(name, read);
  return (uri, context) => {
    const url = urlOf(uri);
    return url && finish(callback(url, contextOf(context)), uri, facts);
  };
}

/** @throws TypeError for what is no function */
export function adaptReadTemplate(
  name: string,
  read: unknown,
  facts: GivenFacts,
  contextOf: MakeContext,
): ReadTemplate<ReadContents, HandlerContext> {
  const callback = callbackOf(name, read);
  return (uri, { values }, context) => {
    const url = urlOf(uri);
    return url && finish(callback(url, values, contextOf(context)), uri, facts);
  };
}

function finish(
  outcome: unknown,
  uri: string,
  { mimeType, cacheHint }: GivenFacts,
): ReadContents | undefined | Promise<ReadContents | undefined> {
  const resultOf = (value: unknown): ReadContents | undefined =>
    readResult(value, { uri, mimeType, cacheHint }) as ReadContents | undefined;
  return isThenable(outcome) ? Promise.resolve(outcome).then(resultOf) : resultOf(outcome);
}

function callbackOf(name: string, read: unknown): Callback {
  if (typeof read === "function") return read as Callback;
  throw new TypeError(`What reads the resource ${quote(name)} is not a function`);
}

/** Some URIs that a template matches are none for the platform: there is no such resource. */
function urlOf(uri: string): URL | undefined {
  try {
    return new URL(uri);
  } catch {
    return undefined;
  }
}
