import { type Code, code, EMPTY, identifier, join, literal } from "../printer/code.js";
import { type Check, innerChecks, type ObjectCheck } from "./check.js";
import { access, condition, type Runtime, type Scope } from "./condition.js";
import { discriminant } from "./discriminant.js";
import type { Functions } from "./functions.js";

/** The generated tests for the formats of values whose structure is valid. */
export interface ContentTests {
  /** Returns a declaration's test; undefined if its values cannot contain anything that has a format. */
  of(name: string): Code | undefined;
  /** Returns a declaration's function; undefined if the declaration has none, or shares that of another declaration. */
  print(name: string): Code | undefined;
}

interface ContentScope extends Scope {
  /** The checks by name, including formats. */
  readonly described: ReadonlyMap<string, Check>;
  /** The names of the declarations whose values may contain something that has a format. */
  readonly leading: ReadonlySet<string>;
  readonly test: (name: string) => Code;
}

/**
 * Creates tests for the content of declared types. Types with the same conditions share a test, which is named after
 * the first of them.
 *
 * @param described - the checks by name, including formats
 */
export function contentTests(
  described: ReadonlyMap<string, Check>,
  functions: Functions,
  runtime: Runtime,
): ContentTests {
  const leading = leadingToFormats(described, functions);
  const aliases = new Map<string, string>();
  const test = (name: string): Code => {
    const other = aliases.get(name);
    return other === undefined ? functions.contentOf(name) : test(other);
  };
  const conditionsOf = (name: string): Code => {
    const path = `${name}_alternative`;
    const scope = { functions, runtime, path, deep: false, described, leading, test };
    return join(contentsOf(described.get(name)!, VALUE, scope), AND);
  };
  const owners = new Map<string, string>();
  for (const [name, check] of described) {
    if (!leading.has(name)) continue;
    const text = JSON.stringify(conditionsOf(name));
    const owner = check.kind === "call" && leading.has(check.name) ? check.name : owners.get(text);
    if (owner === undefined) owners.set(text, name);
    else aliases.set(name, owner);
  }
  return {
    of: (name) => (leading.has(name) ? test(name) : undefined),
    print(name) {
      if (!leading.has(name) || aliases.has(name)) return undefined;
      const formats = code`formats: ${runtime("FormatTests")}`;
      return code`function ${identifier(functions.contentNameOf(name))}(value: unknown, ${formats}): boolean {\nreturn ${conditionsOf(name)};\n}\n\n`;
    },
  };
}

function leadingToFormats(
  described: ReadonlyMap<string, Check>,
  functions: Functions,
): ReadonlySet<string> {
  const leading = new Set<string>();
  for (let before = -1; before < leading.size;) {
    before = leading.size;
    for (const [name, check] of described) {
      if (!functions.elsewhere(name) && hasFormat(check, leading, functions)) leading.add(name);
    }
  }
  return leading;
}

function hasFormat(check: Check, leading: ReadonlySet<string>, functions: Functions): boolean {
  if (check.format !== undefined) return true;
  if (check.kind === "call") {
    return leading.has(check.name) || functions.elsewhere(check.name) !== undefined;
  }
  return innerChecks(check).some((inner) => hasFormat(inner, leading, functions));
}

/** Returns the conditions on a value's content. Values of a different kind satisfy them. */
function contentsOf(check: Check, value: Code, scope: ContentScope): Code[] {
  const formats = check.format?.split(" ").map((format) => formatTest(format, value)) ?? [];
  return [...formats, ...innerContents(check, value, scope)];
}

function formatTest(format: string, value: Code): Code {
  const [name = "", members] = format.split(":");
  if (members !== undefined) {
    return code`formats.exactlyOne(${value}, ${literal(members.split(","))})`;
  }
  const test = /\W/.test(name) ? code`[${literal(name)}]` : code`.${identifier(name)}`;
  return code`formats${test}(${value})`;
}

function innerContents(check: Check, value: Code, scope: ContentScope): Code[] {
  switch (check.kind) {
    case "call": {
      const other = scope.functions.elsewhere(check.name);
      if (other) return [code`formats.of(${other}, ${value})`];
      return scope.leading.has(check.name)
        ? [code`${scope.test(check.name)}(${value}, formats)`]
        : [];
    }
    case "array": {
      const test = testOfEach(check.element, scope);
      return test ? [code`formats.each(${value}, ${test})`] : [];
    }
    case "object":
      return ofObject(objectContents(check, value, scope), value, scope);
    case "anyOf":
      return unionContents(check.arms, value, scope);
    case "allOf":
      return check.parts.flatMap((part) => contentsOf(part, value, scope));
    default:
      return [];
  }
}

function testOfEach(check: Check, scope: ContentScope): Code | undefined {
  const contents = contentsOf(check, ITEM, scope);
  if (contents.length === 0) return undefined;
  const isNamed = check.kind === "call" && check.format === undefined;
  return isNamed && scope.leading.has(check.name)
    ? scope.test(check.name)
    : code`(item) => ${join(contents, AND)}`;
}

function objectContents({ members, index }: ObjectCheck, value: Code, scope: ContentScope): Code[] {
  const named = members.flatMap(({ name, check }) =>
    contentsOf(check, access(value, name, scope.runtime), scope),
  );
  const rest = index && testOfEach(index, scope);
  if (rest === undefined) return named;
  const names = members.length > 0 ? code`, ${literal(members.map(({ name }) => name))}` : EMPTY;
  return [...named, code`formats.values(${value}, ${rest}${names})`];
}

function unionContents(arms: readonly Check[], value: Code, scope: ContentScope): Code[] {
  const found = discriminant(arms, scope.described);
  if (!found) return arms.flatMap((arm) => alternativeContents(arm, value, scope));
  const tag = access(value, found.member, scope.runtime);
  const cases = found.cases.flatMap(({ labels, arms: selected }) => {
    const contents =
      selected.length === 1
        ? contentsOf(selected[0]!, value, scope)
        : unionContents(selected, value, scope);
    if (contents.length === 0) return [];
    const others = labels.map((label) => {
      const wanted = label === undefined ? code`undefined` : literal(label);
      return code`${tag} !== ${wanted}`;
    });
    return [code`(${join(others, AND)} || ${both(contents)})`];
  });
  return ofObject(cases, value, scope);
}

/**
 * Returns the conditions on the content of one alternative in a union. An object must satisfy them only if it passes
 * the alternative's check.
 */
function alternativeContents(arm: Check, value: Code, scope: ContentScope): Code[] {
  const contents = contentsOf(arm, value, scope);
  if (contents.length === 0 || resolved(arm, scope).kind !== "object") return contents;
  return [code`(!${condition(arm, value, scope, "own")} || ${both(contents)})`];
}

function resolved(check: Check, scope: ContentScope): Check {
  if (check.kind !== "call" || scope.functions.elsewhere(check.name)) return check;
  return resolved(scope.described.get(check.name)!, scope);
}

function ofObject(contents: readonly Code[], value: Code, { runtime }: ContentScope): Code[] {
  if (contents.length === 0) return [];
  return [code`(!${runtime("isObject")}(${value}) || ${both(contents)})`];
}

function both(contents: readonly Code[]): Code {
  return contents.length === 1 ? join(contents) : code`(${join(contents, AND)})`;
}

const VALUE = code`value`;
const ITEM = code`item`;
const AND = code` &&\n`;
