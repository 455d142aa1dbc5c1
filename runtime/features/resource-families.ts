import type { HandlerContext } from "../api/index.js";
import { quote } from "../wire/index.js";
import { assertCompletable, completersByName } from "./completions/completers.js";
import type { RegistryEntry } from "./registry-types.js";
import type {
  CompiledFamily,
  FamiliesHost,
  ReadContents,
  ResourceDefinition,
  ResourceFamilies,
  ResourceTemplateDefinition,
} from "./resource-types.js";
import { type TemplateMatch, UriTemplate } from "./uri-template/uri-template.js";

/** Creates the part of the resources feature that serves families: resources described by URI templates. */
export function resourceFamilies<
  Resource extends ResourceDefinition,
  Template extends ResourceTemplateDefinition,
  Result extends ReadContents,
  Context extends HandlerContext,
>({
  resources,
  templates,
  maxUriLength,
  completions,
}: FamiliesHost<Resource, Template, Result, Context>): ResourceFamilies<
  Resource,
  Template,
  Result,
  Context
> {
  type Family = CompiledFamily<Resource, Result, Context>;

  const used = (
    { template }: Family,
    context: Context,
  ): RegistryEntry<Template, Family> | undefined => templates.use(template.template, context);

  /**
   * Yields the families whose template matches a URI. Yields none if the URI is that of a single resource, even if the
   * resource is disabled.
   */
  function* familiesOf(uri: string, context: Context): Generator<[Family, TemplateMatch]> {
    if (uri.length > maxUriLength || resources.has(uri)) return;
    for (const { behaviour } of templates.entriesFor(context)) {
      const { template, upwards } = behaviour;
      const match = template.match(uri);
      if (match && (upwards || !template.leadsAway(uri, match))) yield [behaviour, match];
    }
  }

  /** Returns each resource only once, even if several families list it. */
  async function listedWith(
    families: readonly RegistryEntry<Template, Family>[],
    single: readonly Resource[],
    context: Context,
  ): Promise<readonly Resource[]> {
    const lists = families.map(async ({ behaviour }) => behaviour.list!(context));
    const all = new Map(single.map((resource) => [resource.uri, resource]));
    for (const resource of (await Promise.all(lists)).flat()) {
      const { uri } = resource;
      if (!all.has(uri) && !resources.has(uri)) all.set(uri, resource);
    }
    return [...all.values()];
  }

  return {
    compile({ uriTemplate }, family) {
      const { complete, matcher: template = new UriTemplate(uriTemplate) } = family;
      if (complete) {
        const { variables } = template;
        assertCompletable(quote(uriTemplate), "variable", variables, complete, completions);
      }
      return { ...family, template };
    },
    listed(single, context) {
      const families = templates.entriesFor(context).filter(({ behaviour }) => behaviour.list);
      return families.length === 0 ? single : listedWith(families, single, context);
    },
    async read(uri, context) {
      for (const [family, match] of familiesOf(uri, context)) {
        const { rule } = used(family, context)!;
        const result = await family.read(uri, match, context);
        if (result !== undefined && result.contents?.length !== 0) return { result, rule };
      }
      return undefined;
    },
    isKnown(uri, context) {
      const [family] = familiesOf(uri, context).next().value ?? [];
      return family !== undefined && used(family, context) !== undefined;
    },
    isKept(uri, context) {
      if (!templates.hasRules) return false;
      const matching = templates.definitions.filter(({ uriTemplate }) =>
        templates.get(uriTemplate)!.behaviour.template.match(uri),
      );
      return (
        matching.length > 0 &&
        matching.every(({ uriTemplate }) => templates.isKeptFrom(uriTemplate, context))
      );
    },
    completersOf(uri, context) {
      const exact = templates.use(uri, context)?.behaviour;
      if (exact === undefined && templates.has(uri)) return "hidden";
      const [family] = exact ? [exact] : (familiesOf(uri, context).next().value ?? []);
      if (family === undefined) return undefined;
      used(family, context);
      return completersByName(family.template.variables, family.complete);
    },
  };
}
