import type { Constraints } from "../model/schema-model.js";

/** The formats that the runtime can test. Tags with other formats serve only as documentation. */
export const FORMATS = [
  "byte",
  "uri",
  "uri-template",
  "file-uri",
  "web-url",
  "icon",
  "media-type",
  "meta",
  "trace",
  "tool-turns",
  "exactly-one",
] as const;

export interface Rule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

/** The members of an object. All other members are rejected. */
export interface ObjectRule {
  readonly required: Readonly<Record<string, Rule>>;
  readonly optional?: Readonly<Record<string, Rule>>;
}

const matching = (expected: string, pattern: RegExp): Rule => ({
  expected,
  holds: (value) => typeof value === "string" && pattern.test(value),
});
const oneOf = (...values: readonly unknown[]): Rule => ({
  expected: `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`,
  holds: (value) => values.includes(value),
});

const string = matching("a non-empty string", /\S/);
const url: Rule = {
  expected: "an https URL",
  holds: (value) =>
    typeof value === "string" && /^https:\/\/\S+$/.test(value) && URL.canParse(value),
};
const constant = matching("the name of a constant, such as RATE_LIMITED", /^[A-Z][A-Z0-9_]*$/);
const digest = matching("a SHA-256 in hex", /^[0-9a-f]{64}$/);
const path = matching("a dotted capability path", /^(?:client|server|receiver|sender)(?:\.\w+)+$/);
const place = matching(
  "a type, or a member such as Tool.title",
  /^[A-Za-z_]\w*(?:\.[\w$]+|\[\])*$/,
);
const boolean: Rule = { expected: "a boolean", holds: (value) => typeof value === "boolean" };
const integer: Rule = { expected: "an integer", holds: Number.isInteger };
const strings: Rule = {
  expected: "an array of strings",
  holds: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
};
const object: Rule = {
  expected: "an object",
  holds: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
const number: Rule = { expected: "a number", holds: Number.isFinite };
const CONSTRAINTS: Readonly<Record<keyof Constraints, Rule>> = {
  number: oneOf("number", "integer"),
  minimum: number,
  maximum: number,
  minItems: integer,
  maxItems: integer,
  minLength: integer,
  maxLength: integer,
  pattern: string,
  format: string,
};
const constraints: Rule = {
  expected: `an object of constraints (${Object.keys(CONSTRAINTS).join(", ")})`,
  holds: (value) =>
    object.holds(value) &&
    Object.entries(value as object).every(
      ([name, limit]) =>
        Object.hasOwn(CONSTRAINTS, name) && CONSTRAINTS[name as keyof Constraints].holds(limit),
    ),
};
const scalar: Rule = {
  expected: "a string or a boolean",
  holds: (value) => typeof value === "string" || typeof value === "boolean",
};
const conventionValue: Rule = {
  expected: "a string, a boolean, an array of integers or an object of integers",
  holds: (value) =>
    scalar.holds(value) ||
    ((Array.isArray(value) || object.holds(value)) &&
      Object.values(value as object).every(Number.isInteger)),
};
const pathOrNull: Rule = {
  expected: `${path.expected} or null`,
  holds: (value) => value === null || path.holds(value),
};

const evidence = { reason: string, source: url };

export const SCALARS: ObjectRule = {
  required: { revision: string },
  optional: {
    $schema: string,
    name: matching(
      "a name of at most 100 letters, digits, spaces and .,'()+-",
      /^[\p{L}\p{N}][\p{L}\p{N} .,'()+-]{0,99}$/u,
    ),
    specification: url,
    keywords: strings,
    extends: string,
    previous: string,
    title: string,
    released: matching("a day", /^\d{4}-\d\d-\d\d$/),
  },
};

export const OFFICIAL: ObjectRule = {
  required: { url, sha256: digest, api: digest, wire: digest },
};

export const LISTS: Readonly<Record<string, ObjectRule>> = {
  errorCodes: {
    required: { name: constant, code: integer, ...evidence },
    optional: { methods: strings },
  },
  capabilities: { required: { method: string, capability: pathOrNull, ...evidence } },
  conditions: {
    required: { method: string, member: string, capability: path, ...evidence },
    optional: {
      in: strings,
      orAbsent: boolean,
      orEmpty: path,
      level: oneOf("should"),
      unmet: oneOf("drop"),
    },
  },
  directions: {
    required: { method: string, from: oneOf("client", "server", "both"), ...evidence },
    optional: { channel: oneOf("wire", "embedded"), kind: oneOf("request", "notification") },
  },
  traits: { required: { trait: string, value: scalar, ...evidence } },
  conventions: { required: { convention: string, value: conventionValue, ...evidence } },
  headers: {
    required: {
      header: matching("the name of a header", /^[A-Za-z][A-Za-z0-9-]*\*?$/),
      from: oneOf("client", "server", "both"),
      ...evidence,
    },
    optional: { request: oneOf("GET") },
  },
  nameHeaders: { required: { method: string, member: string, ...evidence } },
  paramHeaders: { required: { method: string, schemas: string, ...evidence } },
  alternatives: { required: { method: string, type: string, resultType: string, ...evidence } },
  joins: { required: { method: string, member: string, type: string, ...evidence } },
  topics: {
    required: { member: string, notification: string, ...evidence },
    optional: { key: string },
  },
  declaredBy: { required: { side: oneOf("server"), ...evidence } },
  formats: {
    required: {
      place: matching(
        "a member such as Root.uri or *.mimeType, with [] for its items",
        /^(?:\*|[A-Za-z_]\w*)\.[\w$]+(?:\[\])?$/,
      ),
      format: oneOf(...FORMATS),
      ...evidence,
    },
    optional: { members: strings },
  },
  successors: { required: { from: string, to: string, ...evidence } },
  rules: {
    required: {
      place,
      rule: matching("the name of a rule, such as textNote", /^[a-z]\w*$/),
      extent: oneOf("around", "required", "whole", "always"),
      ...evidence,
    },
  },
  places: {
    required: {
      place,
      treatment: oneOf("engine", "opaque", "keep", "strip", "refuse", "indivisible"),
      ...evidence,
    },
  },
  accepted: {
    required: {
      code: matching("a code such as MCG3012", /^MCG3\d{3}$/),
      about: string,
      ...evidence,
    },
  },
  errata: {
    required: { sha256: digest, declaration: string, ...evidence },
    optional: { arms: strings, members: strings, constraints },
  },
};
