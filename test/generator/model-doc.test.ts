import { describe, expect, it } from "vitest";
import type { Doc, Member } from "../../generator/model/schema-model.js";
import { declarationsOf } from "./model-of.js";

function docOf(comment: string): Doc | undefined {
  return declarationsOf(`${comment}\nexport type A = string;`)[0]?.doc;
}

function members(text: string): readonly Member[] {
  const [declaration] = declarationsOf(text);
  return declaration?.kind === "interface" ? declaration.members : [];
}

describe("documentation", () => {
  it("is the exact text without stars", () => {
    const comment = `/**
 * One {@link Other | link}.
 *
 *   - indented * star
 * \`\`\`ts
 * @Decorated()
 * const a = { b: "*" };
 * \`\`\`
 */`;
    expect(docOf(comment)).toEqual({
      text: 'One {@link Other | link}.\n\n  - indented * star\n```ts\n@Decorated()\nconst a = { b: "*" };\n```',
      tags: [],
    });
  });

  it("ends at the tags; the text of a tag ends at the next", () => {
    const comment = `/**
 * Text, a@b.c and
 * @scope/name.
 * @deprecated Since then.
 *   Use {@link B}.
 *
 * @see [B](/b)
 * @internal
 */`;
    expect(docOf(comment)).toEqual({
      text: "Text, a@b.c and\n@scope/name.",
      tags: [
        { name: "deprecated", text: "Since then.\n  Use {@link B}." },
        { name: "see", text: "[B](/b)" },
        { name: "internal", text: "" },
      ],
    });
  });

  it.each([
    ["/** One line */", "One line"],
    ["/**Tight*/", "Tight"],
    ["/**\n   No stars\n   here\n*/", "No stars\nhere"],
    ["/** First */\n/** Last */", "Last"],
    ["/** Before */\n// a line\n/* a block */", "Before"],
  ])("%j", (comment, text) => expect(docOf(comment)).toEqual({ text, tags: [] }));

  it.each(["// line", "/* block */", "/**/", "/** */", "/** Elsewhere */ ;"])(
    "is absent for %j",
    (comment) => expect(docOf(comment)).toBeUndefined(),
  );

  it("is read at any depth, also of index signatures and constants", () => {
    const text = `export interface A {
      a: { /** Inner */ b: Array<{
        /** Innermost
         * @minimum 0 */
        c: number }> };
      d: 1; /** Same line */ e: 2; /** Of nothing */
      f: 3;
      /** Index */
      [key: string]: unknown;
    }
    /** Constant */
    export const B = 1;`;
    const [a, , e, f] = members(text);
    const inner = a?.type.kind === "object" ? a.type.members[0] : undefined;
    const element = inner?.type.kind === "array" ? inner.type.element : undefined;
    const innermost = element?.kind === "object" ? element.members[0] : undefined;
    expect(inner?.doc?.text).toBe("Inner");
    expect(innermost?.doc?.text).toBe("Innermost");
    expect(innermost?.constraints).toEqual({ minimum: 0 });
    expect(e?.doc?.text).toBe("Same line");
    expect(f?.doc).toBeUndefined();
    const [declaration, constant] = declarationsOf(text);
    expect(declaration?.kind === "interface" && declaration.index?.doc?.text).toBe("Index");
    expect(constant?.doc?.text).toBe("Constant");
  });
});

describe("constraints", () => {
  it("come from tags, which stay in the documentation", () => {
    const [member] = members(`export interface A {
      /**
       * @TJS-type number
       * @minimum -0.5
       * @maximum 1e2
       * @format int32
       * @nullable
       */
      a: number | null;
    }`);
    expect(member?.constraints).toEqual({
      number: "number",
      minimum: -0.5,
      maximum: 100,
      format: "int32",
    });
    expect(member?.doc?.tags.map(({ name }) => name)).toEqual([
      "TJS-type",
      "minimum",
      "maximum",
      "format",
      "nullable",
    ]);
  });

  it("apply to aliases, lengths and names of other types", () => {
    const text = `/** @minLength 1\n * @maxLength 2 */\nexport type A = B | null;\nexport type B = string;`;
    const [alias] = declarationsOf(text);
    expect(alias?.kind === "alias" && alias.constraints).toEqual({ minLength: 1, maxLength: 2 });
    expect(members("export interface A { /** @minItems 1 */ a: B; }\nexport type B = 1[]")).toEqual(
      [expect.objectContaining({ constraints: { minItems: 1 } })],
    );
  });

  it("are never read from other tags", () => {
    const [alias] = declarationsOf(
      "/** @default 5\n * @category tools */\nexport type A = string;",
    );
    expect(alias).not.toHaveProperty("constraints");
    expect(alias?.doc?.tags).toHaveLength(2);
  });
});
