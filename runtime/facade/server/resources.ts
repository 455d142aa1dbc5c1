import type { Freshness, HandlerContext } from "../../api/index.js";
import type {
  ReadContents,
  ReadResource,
  ResourceDefinition,
  ResourceRegistry,
} from "../../features/index.js";
import { RESOURCES } from "../../features/server/index.js";
import { toBase64, whenDone } from "../../ground/index.js";
import { INVALID_PARAMS, isObject, quote, RpcError } from "../../wire/index.js";
import type { AnyTypes } from "../neutral-types.js";
import { askable } from "./facade-context.js";
import {
  type AccessConfig,
  callbackOf,
  described,
  type Kind,
  type RegistrationHost,
} from "./registration.js";

/**
 * Thrown by a handler if a resource does not exist; the handler can also return `undefined`. Each client receives the
 * error that its revision has for this (MCP: resources, errors).
 */
export class ResourceNotFoundError extends RpcError {
  static override readonly errorName: string = "ResourceNotFoundError";

  constructor(uri: string | URL) {
    super(INVALID_PARAMS, `Resource not found: ${quote(String(uri))}`, { uri: String(uri) });
  }
}

export interface ReadSpec extends AccessConfig<AnyTypes> {
  readonly name: string;
  readonly mimeType?: string | undefined;
  readonly cacheHint?: Freshness | undefined;
  readonly read: unknown;
}

export interface ResourceSpec extends ReadSpec {
  readonly uri: string;
}

export const NAMES: readonly string[] = ["read", "cacheHint"];

export function resourceKind(
  resources: ResourceRegistry,
  host: RegistrationHost,
): Kind<ResourceSpec, ResourceDefinition, [read: ReadResource<ReadContents, HandlerContext>]> {
  return {
    family: RESOURCES,
    feature: RESOURCES.name,
    names: NAMES,
    adapt: (given) => {
      const { read: _read, cacheHint: _, name, uri, ...others } = given;
      const call = reader(given, host);
      if (uri.includes("{")) {
        const advice = "for a family of resources, pass a new ResourceTemplate(template)";
        throw new TypeError(`${quote(uri)} is not an absolute URI: ${advice}`);
      }
      return {
        definition: { name, uri, ...described(others) },
        given: [(uriRead, context) => call(uriRead, [], context)],
      };
    },
    add: (definition, read) => resources.add(definition, read),
  };
}

type Contents = ReadContents | undefined;

export function reader(
  spec: ReadSpec,
  { contextOf }: RegistrationHost,
): (
  uri: string,
  args: readonly unknown[],
  context: HandlerContext,
) => Contents | Promise<Contents> {
  const { name, read, mimeType, cacheHint } = spec;
  const callback = callbackOf(
    read,
    `The read function of the resource ${quote(name)}`,
    "registerResource(name, uri, config, read)",
  );
  return (uri, args, context) => {
    const url = urlOf(uri);
    if (url === undefined) return undefined;
    const convert = (value: unknown): Contents =>
      readResult(value ?? undefined, uri, mimeType, cacheHint);
    return whenDone(callback(url, ...args, contextOf(context)), (outcome) =>
      askable(outcome, context, convert),
    ) as Contents | Promise<Contents>;
  };
}

/** Returns undefined if a template matches the URI but the platform rejects it: such a resource does not exist. */
function urlOf(uri: string): URL | undefined {
  try {
    return new URL(uri);
  } catch {
    return undefined;
  }
}

function readResult(
  outcome: unknown,
  uri: string,
  mimeType: string | undefined,
  cacheHint: Freshness | undefined,
): Contents {
  const facts = mimeType === undefined ? { uri } : { uri, mimeType };
  let result = outcome;
  if (typeof outcome === "string") result = { contents: [{ ...facts, text: outcome }] };
  else if (outcome instanceof Uint8Array)
    result = { contents: [{ ...facts, blob: toBase64(outcome) }] };
  else if (Array.isArray(outcome)) result = { contents: outcome };
  const isFresh = cacheHint !== undefined && isObject(result) && "contents" in result;
  return (isFresh ? { ...cacheHint, ...(result as object) } : result) as Contents;
}
