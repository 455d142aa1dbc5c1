import type { Additions } from "../../link/protocol.js";
import type { ExtensionPlan } from "../../plan/extension-plan.js";
import { type Code, code, join, literal, memberName, objectKey } from "../printer/code.js";
import { docText } from "../printer/doc.js";
import { validatorReference } from "./header.js";

type Tree = readonly (readonly [name: string, value: Tree | string | Validator])[];

interface Validator {
  readonly validator: Code;
}

export function additionTypes(plan: ExtensionPlan): Code {
  return lines(additionsOf(plan), (name, value) => {
    return code`\n${docText(DOCS[name]!)}readonly ${memberName(name)}: ${typeOf(value)};`;
  });
}

export function additionValues(plan: ExtensionPlan): Code {
  return lines(additionsOf(plan), (name, value) => code`\n${objectKey(name)}: ${valueOf(value)},`);
}

const DOCS: Readonly<Record<string, string>> = {
  alternatives:
    "Checks of results that may replace those of the revision, by method and `resultType`.",
  declaredBy: "Only side that declares the extension.",
  joins: "Members that join an object in the parameters of the revision's messages, by method.",
};

function additionsOf(plan: ExtensionPlan): Tree {
  const { alternatives, joins, topics, declaredBy } = plan.protocol.additions ?? NONE;
  const listen = plan.extended.methods.find(({ role }) => role === "listen")?.method;
  const methods = [...new Set(alternatives.map(({ method }) => method))];
  const results: Tree = methods.map((method) => [
    method,
    alternatives
      .filter((one) => one.method === method)
      .map(
        ({ resultType, type }) =>
          [resultType, { validator: validatorReference(type, plan) }] as const,
      ),
  ]);
  const joined: Tree = joins.map(({ method, member, type }) => [
    method,
    [
      ["member", member],
      ["check", { validator: validatorReference(type, plan) }],
      ...(method === listen && topics.length > 0 ? [["topics", topicTree(topics)] as const] : []),
    ],
  ]);
  return [
    ...(declaredBy ? [["declaredBy", declaredBy] as const] : []),
    ["alternatives", results],
    ["joins", joined],
  ];
}

function topicTree(topics: Additions["topics"]): Tree {
  return topics.map(({ member, notification, key }) => [
    member,
    [["notification", notification], ...(key === undefined ? [] : [["key", key] as const])],
  ]);
}

function lines(tree: Tree, line: (name: string, value: Tree[number][1]) => Code): Code {
  const stated = tree.filter(([, value]) => !isTree(value) || value.length > 0);
  return join(stated.map(([name, value]) => line(name, value)));
}

function valueOf(value: Tree[number][1]): Code {
  if (typeof value === "string") return literal(value);
  if (!isTree(value)) return value.validator;
  const members = value.map(([name, inner]) => code`${objectKey(name)}: ${valueOf(inner)}`);
  return code`{ ${join(members, code`, `)} }`;
}

function typeOf(value: Tree[number][1]): Code {
  if (typeof value === "string") return literal(value);
  if (!isTree(value)) return code`typeof ${value.validator}`;
  const members = value.map(
    ([name, inner]) => code`readonly ${memberName(name)}: ${typeOf(inner)};`,
  );
  return code`{ ${join(members, code` `)} }`;
}

function isTree(value: Tree[number][1]): value is Tree {
  return Array.isArray(value);
}

const NONE: Additions = { alternatives: [], joins: [], topics: [] };
