import type { OutputUnit } from "@cfworker/json-schema";
import { type Issue, reject } from "../wire/index.js";
import { expectation, sketch } from "./expectation.js";
import { isNever, isNode, type Node, type Subschema, token } from "./node.js";
import { type Lookup, targetOf } from "./references.js";
import type { Work } from "./work.js";

/** More are of no help to anybody. */
const MAX_ISSUES = 50;

/** Findings of the library that are looked at, and the length of the longest place that one may have. */
const MAX_FINDINGS = 200;
const MAX_LOCATION = 20_000;

/** Keywords that refuse because of others inside them, which say more. */
const OUTER: ReadonlySet<string> = new Set([
  "$recursiveRef",
  "$ref",
  "additionalItems",
  "additionalProperties",
  "allOf",
  "dependentSchemas",
  "if",
  "items",
  "patternProperties",
  "prefixItems",
  "properties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Keywords inside which a refusal does not mean that anything is wrong. */
const TENTATIVE: ReadonlySet<string> = new Set(["anyOf", "contains", "not", "oneOf"]);

/** Keywords whose members have names that the schema's author chose. */
const NAMED: ReadonlySet<string> = new Set(["dependentSchemas", "patternProperties", "properties"]);

/** A schema as it is evaluated, and what is known about its parts. */
export interface EvaluationResult {
  readonly root: Subschema;
  readonly lookup: Lookup;
  /** Expectation of each subschema that refused a value. */
  readonly refusals: ReadonlyMap<Node, string>;
}

/** Puts what the library found into the form that validators use, as long as there is time; never empty. */
export function schemaIssues(
  schema: EvaluationResult,
  value: unknown,
  units: readonly OutputUnit[],
  work: Pick<Work, "isLate">,
): Issue[] {
  const issues = new Map<string, Issue>();
  let findings = 0;
  for (const unit of units) {
    if (OUTER.has(unit.keyword)) continue;
    findings += 1;
    if (issues.size >= MAX_ISSUES || findings > MAX_FINDINGS) break;
    if (unit.keywordLocation.length + unit.instanceLocation.length > MAX_LOCATION) continue;
    const place = placeOf(schema, unit.keywordLocation);
    if (place === undefined || place.isTentative) continue;
    for (const issue of issuesOf(schema, place, unit, value)) {
      issues.set(`${issue.path} ${issue.expected}`, issue);
    }
    if (work.isLate) break;
  }
  if (issues.size === 0) return issueAt("", "a value that fits the schema", value);
  return [...issues.values()];
}

/** One issue about a value. */
export function issueAt(path: string, expected: string, value: unknown): Issue[] {
  const issues: Issue[] = [];
  reject(issues, expected, value);
  return issues.map((issue) => ({ ...issue, path }));
}

interface Place {
  /** The subschema that a keyword belongs to. */
  readonly node: Node;
  readonly isTentative: boolean;
  /** True when the issue is about the name of a member, not its value. */
  readonly isName: boolean;
}

function issuesOf(
  { refusals }: EvaluationResult,
  { node, isName }: Place,
  { keyword, instanceLocation }: OutputUnit,
  value: unknown,
): Issue[] {
  const tokens = tokensOf(instanceLocation);
  const path = tokens.map(token).join("");
  const received = isName ? tokens.at(-1) : valueAt(value, tokens);
  if (keyword === "required" && isNode(received)) return missingMembers(node, path, received);
  const isNoName = isName && isNever(node);
  const expected = isNoName ? "another name" : expectation(node, keyword);
  return issueAt(path, refusals.get(node) ?? expected, received);
}

function missingMembers(node: Node, path: string, value: Node): Issue[] {
  const names = (node["required"] as readonly string[])
    .filter((name) => !Object.hasOwn(value, name))
    .slice(0, MAX_ISSUES);
  const { properties } = node;
  return names.flatMap((name) => {
    const schema = isNode(properties) && Object.hasOwn(properties, name) ? properties[name] : true;
    return issueAt(path + token(name), sketch(schema) ?? "a value", undefined);
  });
}

/** Follows a keyword's location, through references, to the subschema that has the keyword. */
function placeOf({ root, lookup }: EvaluationResult, location: string): Place | undefined {
  let current: unknown = root;
  let [isTentative, isName, isInMap] = [false, false, false];
  for (const step of tokensOf(location).slice(0, -1)) {
    const at: unknown = current;
    if (!isNode(at) && !Array.isArray(at)) return undefined;
    if (isInMap || Array.isArray(at)) {
      isInMap = false;
    } else {
      isTentative ||= TENTATIVE.has(step);
      isName ||= step === "propertyNames";
      isInMap = NAMED.has(step);
    }
    current = stepInto(at as Node, step, root, lookup);
  }
  return isNode(current) ? { node: current, isTentative, isName } : undefined;
}

function stepInto(node: Node, step: string, root: Subschema, lookup: Lookup): unknown {
  if (step === "$ref" && typeof node[step] === "string") return targetOf(node, lookup);
  return step === "$recursiveRef" && node[step] === "#" ? root : node[step];
}

function valueAt(value: unknown, tokens: readonly string[]): unknown {
  let current = value;
  for (const step of tokens) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Object.hasOwn(current, step) ? (current as Node)[step] : undefined;
  }
  return current;
}

/** Tokens of the library's pointers, which are fragments of a URI. */
function tokensOf(location: string): string[] {
  return location
    .split("/")
    .slice(1)
    .map((text) => decodeURIComponent(text).replaceAll("~1", "/").replaceAll("~0", "~"));
}
