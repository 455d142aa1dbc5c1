import { describe, expect, it } from "vitest";
import {
  code,
  type CodeValue,
  escapeComment,
  escapeString,
  identifier,
  importNamespace,
  importType,
  importTypeNamespace,
  importValue,
  join,
  literal,
  memberName,
} from "../../generator/emit/printer/code.js";
import { docText, jsDoc } from "../../generator/emit/printer/doc.js";
import { printModule } from "../../generator/emit/printer/module.js";

const print = (value: CodeValue): string => printModule("", code`${value}`);

describe("code", () => {
  it("joins template text, code and lists", () => {
    const items = [code`a`, code`b`];
    expect(print(code`[${join(items, code`, `)}] ${items}`)).toBe("[a, b] ab");
  });

  it.each(["text", 1, undefined])("refuses %j as code", (value) => {
    expect(() => code`${value as unknown as CodeValue}`).toThrow(TypeError);
  });

  it("refuses an invalid name", () => {
    for (const name of ["", "a b", "a;b", "class", "1a", "a\u2028", "*/"]) {
      expect(() => identifier(name), name).toThrow(TypeError);
    }
    expect(print(identifier("Größe$_1"))).toBe("Größe$_1");
  });
});

describe("imports", () => {
  const symbols = [
    importValue("b", "./z.js"),
    importType("T", "pkg"),
    importType("a", "./z.js"),
    importNamespace("n", "./m.js"),
    importTypeNamespace("t", "./t.js"),
  ];

  it("follow the used symbols: packages first, in code point order, types marked", () => {
    expect(printModule("// head", join(symbols, code` `))).toBe(
      [
        "// head",
        "",
        `import type { T } from "pkg";`,
        `import * as n from "./m.js";`,
        `import type * as t from "./t.js";`,
        `import { type a, b } from "./z.js";`,
        "",
        "b T a n t",
      ].join("\n"),
    );
  });

  it("appear once, as a value if one use needs it", () => {
    const uses = [importType("A", "m"), importValue("A", "m"), importType("A", "m")];
    expect(print(join(uses, code`,`))).toBe(`import { A } from "m";\n\nA,A,A`);
  });

  it("fail for one name from two modules", () => {
    expect(() => print([importType("A", "m"), importType("A", "n")])).toThrow(
      "A is imported from m and from n.",
    );
  });
});

describe("literals", () => {
  it.each([
    "quotes \" ' `",
    "${x} \\ \n \r \t \u0000 \u007f",
    "\u2028\u2029\u202e\u2066\ufeff\u200b",
    "\ud800 lone, \u{1f600} pair, \u{e0041} tag",
    "*/ // </script>",
  ])("keep the value of a string without hidden characters: %j", (text) => {
    const printed = escapeString(text);
    expect(JSON.parse(printed)).toBe(text);
    expect(printed).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  it("use plain keys for identifiers, and never set a prototype", () => {
    const value = JSON.parse(`{ "a": { "b-c": [1, true, null] }, "__proto__": {}, "class": "x" }`);
    expect(print(literal(value))).toBe(
      `{ a: { "b-c": [1, true, null] }, ["__proto__"]: {}, class: "x" }`,
    );
  });

  it.each([
    ["constructor", "constructor"],
    ["$schema", "$schema"],
    ["a.b/c", `"a.b/c"`],
    [`"]; x`, `"\\"]; x"`],
    ["größe", `"größe"`],
  ])("write a member name: %s", (name, printed) => {
    expect(print(memberName(name))).toBe(printed);
  });
});

describe("comments", () => {
  it("have one line or several", () => {
    expect(print(docText("One."))).toBe("/** One. */\n");
    expect(print(docText("One.\n\nTwo."))).toBe("/**\n * One.\n *\n * Two.\n */\n");
  });

  it("keep useful tags", () => {
    const tags = [
      { name: "see", text: "{@link /specification/x#y | Page}" },
      { name: "category", text: "Tools" },
      { name: "internal", text: "" },
      { name: "TJS-type", text: "number" },
      { name: "nullable", text: "" },
      { name: "minimum", text: "0" },
      { name: "example", text: "Titled\n{@includeCode ./x.json}" },
      { name: "example", text: "`x`" },
      { name: "deprecated", text: "Since then.\nUse y." },
    ];
    expect(print(jsDoc({ text: "T.", tags }))).toBe(`/**
 * T.
 *
 * @see {@link /specification/x#y | Page}
 * @minimum 0
 * @example \`x\`
 * @deprecated Since then.
 * Use y.
 */
`);
  });

  it("are omitted if they are empty", () => {
    expect(print(jsDoc({ text: "", tags: [{ name: "internal", text: "" }] }))).toBe("");
    expect(print(jsDoc(undefined))).toBe("");
  });

  it("cannot be closed from inside", () => {
    for (const text of ["*/ evil", "**/", "*\u200b/", "a *\r/ b", "*/*/", "*", "/", "*\n/"]) {
      const printed = print(docText(text)).trimEnd();
      expect(printed.indexOf("*/"), JSON.stringify(text)).toBe(printed.length - 2);
    }
  });

  it("contain no directives for a compiler", () => {
    const tags = [
      { name: "ts-ignore", text: "" },
      { name: "ts\u200b-expect-error", text: "x" },
    ];
    expect(print(jsDoc({ text: "", tags }))).toBe("");
    expect(escapeComment("  @ts-ignore\n@ts-expect-error")).toBe(
      "  \\@ts-ignore\n\\@ts-expect-error",
    );
  });

  it("make invisible characters visible", () => {
    expect(escapeComment("a\u202eb\u2028c\u001b[31m")).toBe("a\\u202eb\\u2028c\\u001b[31m");
  });
});
