import type { Extension } from "../collect/reference.js";
import { signature } from "../collect/signature.js";
import {
  code,
  line,
  type Line,
  listed,
  listing,
  type Page,
  type SearchEntry,
  type View,
} from "../page.js";
import { plainText } from "../markup/prose.js";
import { cardsPage } from "./cards-page.js";
import { membersPart } from "./members-part.js";
import { EXTENSIONS, fragment, idOf, resultTypes, senderText, type Site } from "./site.js";

export function extensionPage(extension: Extension, site: Site): Page {
  const { id, page, revision, base } = extension;
  const { protocol } = revision;
  const own = protocol.declarations.filter(({ imported }) => imported === undefined);
  const methods = [...revision.methods.values()];
  return {
    path: page.replace(/\.html$/, ""),
    title: id,
    summary: revision.facts.title ?? `An extension of ${base.id}.`,
    area: EXTENSIONS,
    template: "extension",
    outline: [
      ...(methods.length > 0 ? [{ id: "methods", text: "Methods" }] : []),
      { id: "types", text: "Types" },
    ],
    entries: [
      { name: id, kind: "extension", to: page, text: revision.facts.title ?? "" },
      ...methods.map(({ method, type }): SearchEntry => ({
        name: method,
        kind: "extension",
        to: `${page}#${fragment("method", method)}`,
        text: plainText(revision.shapes.declaration(type)?.doc?.text ?? ""),
      })),
      ...own.map(({ name, doc }): SearchEntry => ({
        name,
        kind: "extension",
        to: `${page}#${fragment("type", name)}`,
        text: plainText(doc?.text ?? ""),
      })),
    ],
    view: {
      id,
      base: base.id,
      hasTitle: revision.facts.title !== undefined,
      title: revision.facts.title ?? "",
      hasMethods: methods.length > 0,
      methods: methods.map((method) => ({
        id: idOf("method", method.method),
        name: code(method.method),
        facts: line(
          `Sent by ${senderText(method)}, as a ${method.kind}`,
          ...(method.result ? [", answered by ", ...results(extension, method, site).parts] : []),
          ".",
        ),
        doc: site.prose(revision.shapes.declaration(method.type)?.doc, revision),
      })),
      additions: additionsOf(extension, site),
      types: own.map((declaration): View => {
        const { name, doc } = declaration;
        return {
          id: idOf("type", name),
          name: code(name),
          doc: site.prose(doc, revision),
          signature: listing(signature(declaration, (type) => site.namesOf(revision).get(type))),
          hasMembers: site.members(revision, name).length > 0,
          members: membersPart(
            { type: name, typeAt: () => name, revision, scope: [name], own: revision },
            site,
          ),
        };
      }),
    },
  };
}

export function extensionsPage(site: Site): Page {
  const cards = site.reference.extensions.map(({ id, page, base, revision }) => ({
    page,
    title: id,
    text: revision.facts.title ?? "",
    more: `Extends ${base.id}`,
  }));
  return cardsPage({
    page: EXTENSIONS,
    title: "Extensions",
    summary: "Extensions, and the revisions that they extend.",
    groups: [{ title: "Extensions", cards }],
  });
}

function results(
  { revision }: Extension,
  method: Parameters<typeof resultTypes>[0],
  site: Site,
): Line {
  return listed(resultTypes(method).map((type) => site.nameIn(revision, type)));
}

function additionsOf({ revision }: Extension, site: Site): readonly View[] {
  const { alternatives = [], joins = [], topics = [] } = revision.protocol.additions ?? {};
  return [
    ...alternatives.map(({ method, type }) =>
      line(
        site.named(method),
        " may return ",
        site.nameIn(revision, type),
        " instead of its result.",
      ),
    ),
    ...joins.map(({ method, member, type }) =>
      line(
        code(member),
        " of ",
        site.named(method),
        " has the members of ",
        site.nameIn(revision, type),
        " too.",
      ),
    ),
    ...topics.map(({ member, notification }) =>
      line("Clients subscribe to ", code(notification), " with ", code(member), "."),
    ),
  ].map((text) => ({ text }));
}
