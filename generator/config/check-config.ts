import type { Config, ExtensionConfig } from "./config.js";

const MEMBERS: Readonly<Record<keyof Config, (value: unknown) => boolean>> = {
  revisions: (value) => Array.isArray(value) && value.every(isText),
  all: (value) => typeof value === "boolean",
  universal: (value) => typeof value === "boolean",
  schema: isText,
  facts: isText,
  extensions: (value) => Array.isArray(value) && value.every(isExtension),
  out: isText,
  runtime: isText,
  modulesOnly: (value) => typeof value === "boolean",
};

const EXPECTED: Readonly<Record<keyof Config, string>> = {
  revisions: "an array of revision ids",
  all: "true or false",
  universal: "true or false",
  schema: "a path",
  facts: "a path",
  extensions: "an array of { id, schema, revision?, facts?, out? }, all of them strings",
  out: "a path",
  runtime: "a module specifier",
  modulesOnly: "true or false",
};

export const CONFIG_MEMBERS = Object.keys(MEMBERS);

export function checkConfig(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return ["The configuration is not an object."];
  }
  return Object.entries(value).flatMap(([name, member]) => {
    if (!isMember(name)) return [`"${name}" is not a member of the configuration.`];
    if (member === undefined || MEMBERS[name](member)) return [];
    return [`"${name}" must be ${EXPECTED[name]}.`];
  });
}

const EXTENSION_MEMBERS: Readonly<Record<keyof ExtensionConfig, "required" | "optional">> = {
  id: "required",
  schema: "required",
  revision: "optional",
  facts: "optional",
  out: "optional",
};

function isExtension(value: unknown): value is ExtensionConfig {
  if (typeof value !== "object" || value === null) return false;
  const members = new Map(Object.entries(value).filter(([, member]) => member !== undefined));
  const isComplete = Object.entries(EXTENSION_MEMBERS).every(
    ([name, need]) => need === "optional" || members.has(name),
  );
  const isRight = ([name, member]: [string, unknown]): boolean =>
    Object.hasOwn(EXTENSION_MEMBERS, name) && isText(member);
  return isComplete && [...members].every(isRight);
}

function isMember(name: string): name is keyof Config {
  return Object.hasOwn(MEMBERS, name);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !value.includes("\0");
}
