import type {
  TemplateFamily,
  ReadContents,
  ReadResource,
  ResourceDefinition,
  ResourceTemplateDefinition,
  Resources,
} from "../../features/index.js";
import type { HandlerContext } from "../../api/index.js";
import { quote } from "../../wire/index.js";
import type { AccessConfig, AccessOptions } from "./access-rule.js";
import { adaptRead, adaptReadTemplate, type ResourceFacts } from "./adapt-resource.js";
import { definedOnly } from "./defined-only.js";
import type { MakeContext } from "./facade-context.js";
import { RegistrationHandle, replacementOf } from "./registration-handle.js";
import type { AnyTypes } from "./neutral-types.js";
import { adaptCompleters } from "./prompt-completers.js";
import type { ListedResources, ListResources, ResourceTemplateLike } from "./resource-template.js";

export interface ResourceRegistry extends AccessOptions {
  readonly resources: Resources;
}

export interface ResourceSpec extends ResourceFacts, AccessConfig<AnyTypes> {
  readonly name: string;
  readonly uri: string;
  readonly read: unknown;
}

export interface TemplateSpec extends ResourceFacts, AccessConfig<AnyTypes> {
  readonly name: string;
  readonly template: ResourceTemplateLike<AnyTypes>;
  readonly read: unknown;
}

/** Alternative names that changes can have. */
const ALIASES = { callback: "read" };

/** @throws TypeError as `Resources.add` does */
export function registerResource(
  registry: ResourceRegistry,
  given: ResourceSpec,
): RegistrationHandle<ResourceSpec, ResourceDefinition> {
  const { resources, contextOf } = registry;
  const adapted = ({
    read,
    cacheHint,
    visible: _visible,
    scopes: _scopes,
    ...others
  }: ResourceSpec) => {
    const { name, uri, ...metadata } = others;
    const definition = { name, uri, ...definedOnly(metadata) };
    const facts = { mimeType: others.mimeType, cacheHint };
    return { definition, read: adaptRead(name, read, facts, contextOf) };
  };
  if (given.uri.includes("{")) {
    const advice = "for a family of resources, give a new ResourceTemplate(template)";
    throw new TypeError(`${quote(given.uri)} is no absolute URI: ${advice}`);
  }
  const { definition, read } = adapted(given);
  const added = resources.add(definition, read);
  return new RegistrationHandle<ResourceSpec, ResourceDefinition>({
    given,
    added,
    access: registry,
    aliases: ALIASES,
    remake: (changed) => {
      const resource = adapted(changed);
      const behaviour: ReadResource<ReadContents, HandlerContext> = resource.read;
      added.update(replacementOf(added.definition, resource.definition), behaviour);
    },
  });
}

/** @throws TypeError as `Resources.addTemplate` does */
export function registerTemplate(
  registry: ResourceRegistry,
  given: TemplateSpec,
): RegistrationHandle<TemplateSpec, ResourceTemplateDefinition> {
  const { resources, contextOf } = registry;
  const { definition, behaviour } = adaptTemplate(given, contextOf);
  const { read, ...options } = behaviour;
  const added = resources.addTemplate(definition, read, options);
  return new RegistrationHandle<TemplateSpec, ResourceTemplateDefinition>({
    given,
    added,
    access: registry,
    aliases: ALIASES,
    remake: (changed) => {
      const family = adaptTemplate(changed, contextOf);
      added.update(replacementOf(added.definition, family.definition), family.behaviour);
    },
  });
}

function adaptTemplate(
  { read, cacheHint, template, visible: _visible, scopes: _scopes, ...others }: TemplateSpec,
  contextOf: MakeContext,
): {
  readonly definition: ResourceTemplateDefinition;
  readonly behaviour: TemplateFamily<ResourceDefinition, ReadContents, HandlerContext>;
} {
  const { uriTemplate, list, upwards, complete } = template;
  const { name, ...metadata } = others;
  const facts = { mimeType: others.mimeType, cacheHint };
  return {
    definition: { name, ...definedOnly(metadata), uriTemplate },
    behaviour: {
      read: adaptReadTemplate(name, read, facts, contextOf),
      list: list && adaptList(list, definedOnly(metadata), contextOf),
      upwards,
      complete: complete && adaptCompleters(complete, contextOf),
    },
  };
}

/** @param metadata - what holds for each resource of the family that does not say it itself */
function adaptList(
  list: ListResources<AnyTypes>,
  metadata: object,
  contextOf: MakeContext,
): NonNullable<TemplateFamily<ResourceDefinition, ReadContents, HandlerContext>["list"]> {
  return async (context) => {
    const listed: ListedResources<AnyTypes> = await list(contextOf(context));
    const resources: readonly unknown[] = "resources" in listed ? listed.resources : listed;
    return (resources as readonly ResourceDefinition[]).map((one) => ({ ...metadata, ...one }));
  };
}
