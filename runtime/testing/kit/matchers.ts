import type { Issue, Validator } from "@mcp-codegen/runtime";
import type { TestClient } from "./test-client.js";
import { differencesOf, shown, type Members } from "../tape/json-value.js";
import { revisions } from "@mcp-codegen/universal/revisions";

/** The result of a matcher, for `expect.extend` of vitest and jest. */
export interface Outcome {
  readonly pass: boolean;
  message(): string;
}

const isEqual = (expected: unknown, received: unknown): boolean | undefined =>
  expected instanceof RegExp ? typeof received === "string" && expected.test(received) : undefined;

/** Returns the differences as lines. A pattern is equal to any string that it matches. */
function differences(received: unknown, expected: unknown, subset = false): readonly string[] {
  return differencesOf(expected, received, { subset, isEqual }).map((found) => {
    const wanted =
      found.expected instanceof RegExp ? String(found.expected) : shown(found.expected);
    return `${found.pointer || "/"}: expected ${wanted}, received ${shown(found.received)}`;
  });
}

function outcome(pass: boolean, unfit: string, fit: string): Outcome {
  return { pass, message: () => (pass ? fit : unfit) };
}

/** Passes if a tool has failed and its text contains the string, or matches the pattern. */
function toBeToolError(received: unknown, text?: string | RegExp): Outcome {
  const { isError, content } = (received ?? {}) as Members;
  if (isError !== true) {
    return outcome(false, unmet("/isError", "true", isError), "The result is an error of the tool");
  }
  const texts = (Array.isArray(content) ? content : []).flatMap(
    (one: Members) => one["text"] ?? [],
  );
  const all = texts.join("\n");
  const fits = typeof text === "string" ? all.includes(text) : (text?.test(all) ?? true);
  return outcome(fits, unmet("/content", String(text), all), `The error matches ${String(text)}`);
}

/** Passes if the value is valid for a type in the revision's schema. The revision's package must be installed. */
async function toBeValid(received: unknown, revision: string, type: string): Promise<Outcome> {
  const specifier = `@mcp-codegen/${revision}`;
  const { validators } = (await import(specifier)) as {
    readonly validators: Readonly<Record<string, Validator>>;
  };
  const validate = validators[type];
  if (validate === undefined) throw new TypeError(`${revision} has no type ${type}`);
  const issues: Issue[] = [];
  const pass = validate(received, issues);
  const text = issues.map(
    ({ path, expected, received: found }) =>
      `${path || "/"}: expected ${expected}, received ${found}`,
  );
  return outcome(
    pass,
    `The value is not a ${type} of ${revision}:\n${text.join("\n")}`,
    `The value is a ${type} of ${revision}`,
  );
}

/** Passes if the server has sent the test client a request with at least these parameters. */
function toAskFor(received: unknown, expected: object): Outcome {
  const { questions } = received as TestClient;
  const found = questions.map(({ params }) => differences(params, expected, true));
  const pass = found.some((all) => all.length === 0);
  const closest = found.toSorted((one, other) => one.length - other.length)[0];
  const text = closest === undefined ? "The server has sent no request" : closest.join("\n");
  return outcome(pass, text, "The server has sent such a request");
}

/** Passes if the client's server offers exactly what the lock file (`mcp.lock.json`) has recorded under the name. */
async function toMatchContract(received: unknown, lock: object, name: string): Promise<Outcome> {
  const client = received as TestClient;
  const { servers } = lock as { readonly servers?: Readonly<Record<string, Members>> };
  const locked = servers?.[name];
  if (locked === undefined) throw new TypeError(`The lock file has no server ${name}`);
  const problems: string[] = [];
  const families = revisions.find(({ id }) => id === client.revision)?.families ?? [];
  for (const { name: list, key, list: method } of families) {
    const entries = locked[list];
    if (!Array.isArray(entries)) continue;
    const offered = await itemsOf(client, method, list);
    const expected = new Map(
      entries.map(({ definition }: { readonly definition: Members }) => [
        String(definition[key]),
        definition,
      ]),
    );
    for (const item of offered) {
      const id = String(item[key]);
      const definition = expected.get(id);
      if (definition === undefined)
        problems.push(`${list} ${id}: expected nothing, received ${JSON.stringify(item)}`);
      else problems.push(...differences(item, definition).map((one) => `${list} ${id} ${one}`));
      expected.delete(id);
    }
    for (const id of expected.keys())
      problems.push(`${list} ${id}: expected the entry of the lock file, received nothing`);
  }
  return outcome(
    problems.length === 0,
    problems.join("\n"),
    `The server matches the contract ${name}`,
  );
}

async function itemsOf(
  client: TestClient,
  method: string,
  list: string,
): Promise<readonly Members[]> {
  try {
    const items: Members[] = [];
    let cursor: string | undefined;
    do {
      const page = (await client.request(
        method as "tools/list",
        cursor === undefined ? {} : { cursor },
      )) as unknown as Members;
      items.push(...((page[list] ?? []) as Members[]));
      cursor = page["nextCursor"] as string | undefined;
    } while (cursor !== undefined);
    return items;
  } catch (error) {
    // A server without the capability offers no such items.
    if (
      (error as Error).name === "CapabilityError" ||
      (error as { readonly code?: number }).code === -32601
    )
      return [];
    throw error;
  }
}

function unmet(pointer: string, expected: string, received: unknown): string {
  return `${pointer}: expected ${expected}, received ${JSON.stringify(received) ?? "nothing"}`;
}

/** Types of the matchers, for a module augmentation of vitest or jest. */
export interface KitMatchers<Returned = void> {
  toBeToolError(text?: string | RegExp): Returned;
  toBeValid(revision: string, type: string): Promise<void>;
  toAskFor(expected: object): Returned;
  /** @param lock - the lock file's parsed content */
  toMatchContract(lock: object, name: string): Promise<void>;
}

/** Matchers for `expect.extend` of vitest and jest. */
export const matchers: {
  readonly toBeToolError: typeof toBeToolError;
  readonly toBeValid: typeof toBeValid;
  readonly toAskFor: typeof toAskFor;
  readonly toMatchContract: typeof toMatchContract;
} = { toBeToolError, toBeValid, toAskFor, toMatchContract };

/**
 * Throws an error unless a matcher passes; for test runners without `expect.extend`, such as node:test.
 *
 * @example
 * ```ts
 * await assertThat(await client.callTool("fail"), "toBeToolError", /no such file/);
 * ```
 */
export async function assertThat<Name extends keyof typeof matchers>(
  received: unknown,
  name: Name,
  ...args: Parameters<(typeof matchers)[Name]> extends [unknown, ...infer Rest] ? Rest : never
): Promise<void> {
  const match = matchers[name] as (
    received: unknown,
    ...args: unknown[]
  ) => Outcome | Promise<Outcome>;
  const { pass, message } = await match(received, ...args);
  if (!pass) throw new Error(message());
}
