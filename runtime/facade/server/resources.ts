import type { Freshness, HandlerContext } from "../../api/index.js";
import type {
  ReadContents,
  ReadResource,
  ResourceDefinition,
  ResourceRegistry,
  ResourceTemplateDefinition,
  TemplateFamily,
} from "../../features/index.js";
import { RESOURCES, TEMPLATES } from "../../features/server/index.js";
import { toBase64, whenDone } from "../../ground/index.js";
import { INVALID_PARAMS, isObject, quote, RpcError } from "../../wire/index.js";
import type { AnyTypes } from "../neutral-types.js";
import type { ServerContext } from "./context-types.js";
import { askable } from "./facade-context.js";
import {
  type AccessConfig,
  adaptCompleters,
  callbackOf,
  described,
  type Kind,
  type RegistrationHost,
} from "./registration.js";
import type { ResourceTemplate } from "./resource-template.js";
import type { ListResources, ListedResources } from "./resource-types.js";

/**
 * Thrown if a resource does not exist; a handler can also return `undefined`. Each client receives the error that its
 * revision has for that (MCP: resources, errors).
 */
export class ResourceNotFoundError extends RpcError {
  override readonly name: string = "ResourceNotFoundError";

  constructor(uri: string | URL) {
    super(INVALID_PARAMS, `Resource not found: ${quote(String(uri))}`, { uri: String(uri) });
  }
}

interface CommonSpec extends AccessConfig<AnyTypes> {
  readonly name: string;
  readonly mimeType?: string | undefined;
  readonly cacheHint?: Freshness | undefined;
  readonly read: unknown;
}

/** Configuration of a resource, as it is registered. */
export interface ResourceSpec extends CommonSpec {
  readonly uri: string;
}

/** Configuration of a family of resources, as it is registered. */
export interface TemplateSpec extends CommonSpec {
  readonly template: ResourceTemplate;
}

type Family = TemplateFamily<ResourceDefinition, ReadContents, HandlerContext>;

/** Other names that members of changes can have. */
const ALIASES = { callback: "read" };

const NAMES = ["read", "cacheHint"];

/** The registration of resources. */
export function resourceKind(
  resources: ResourceRegistry,
  host: RegistrationHost,
): Kind<ResourceSpec, ResourceDefinition, [read: ReadResource<ReadContents, HandlerContext>]> {
  return {
    family: RESOURCES,
    feature: RESOURCES.name,
    names: NAMES,
    aliases: ALIASES,
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

/** The registration of families of resources. */
export function templateKind(
  resources: ResourceRegistry,
  host: RegistrationHost,
): Kind<TemplateSpec, ResourceTemplateDefinition, [family: Family]> {
  return {
    family: TEMPLATES,
    feature: RESOURCES.name,
    names: [...NAMES, "template", "uri"],
    aliases: ALIASES,
    adapt: (given) => {
      const { read: _read, cacheHint: _, template, name, ...others } = given;
      const { uriTemplate, matcher, list, upwards, complete } = template;
      if (matcher === undefined) {
        const advice = `pass new ResourceTemplate(${quote(String(uriTemplate))})`;
        throw new TypeError(
          `The template of the resources ${quote(name)} is not parsed: ${advice}`,
        );
      }
      const metadata = described(others);
      const call = reader(given, host);
      const family: Family = {
        matcher,
        read: (uri, { values }, context) => call(uri, [values], context),
        list: list && ((context) => listed(list, metadata, host.contextOf(context))),
        upwards,
        complete: adaptCompleters(complete, host.contextOf),
      };
      return {
        definition: { name, ...metadata, uriTemplate },
        given: [family],
        completes: complete !== undefined,
      };
    },
    add: (definition, family) => resources.addFamily(definition, family),
  };
}

type Contents = ReadContents | undefined;

/** Calls what reads a resource, and converts its value to a result. */
function reader(
  spec: CommonSpec,
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

/** Some URIs that a template matches are invalid for the platform: such a resource does not exist. */
function urlOf(uri: string): URL | undefined {
  try {
    return new URL(uri);
  } catch {
    return undefined;
  }
}

/** The result for the value that a read function returned; undefined if the resource does not exist. */
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

/** @param metadata - members of each resource of the family that has none of its own */
async function listed(
  list: ListResources<AnyTypes>,
  metadata: object,
  ctx: ServerContext<AnyTypes>,
): Promise<readonly ResourceDefinition[]> {
  const found: ListedResources<AnyTypes> = await list(ctx);
  const resources: readonly unknown[] = "resources" in found ? found.resources : found;
  return (resources as readonly ResourceDefinition[]).map((one) => ({ ...metadata, ...one }));
}
