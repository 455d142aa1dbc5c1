import type { Doc, SchemaModel } from "../model/schema-model.js";

/** Start of a link to a page by path: of a tag, or of Markdown. */
const LINK = /(\{@link\s+|\]\()(?=\/[^/])/g;

/** Resolves links by path in the comments of a schema to the site of its specification. */
export function withSite(model: SchemaModel, specification: string | undefined): SchemaModel {
  if (specification === undefined) return model;
  const { origin } = new URL(specification);
  const linked = (text: string): string => text.replace(LINK, (start) => start + origin);
  return mapDocs(model, ({ text, tags, ...rest }) => ({
    ...rest,
    text: linked(text),
    tags: tags.map((tag) => ({ ...tag, text: linked(tag.text) })),
  }));
}

/** A copy of a value, with every comment below it replaced. */
function mapDocs<T>(value: T, map: (doc: Doc) => Doc): T {
  if (Array.isArray(value)) return value.map((item) => mapDocs(item as unknown, map)) as T;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => [
    key,
    key === "doc" ? map(member as Doc) : mapDocs(member as unknown, map),
  ]);
  return Object.fromEntries(members) as T;
}
