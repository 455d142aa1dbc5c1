import { explain } from "./explain.js";
import { FORMATS, hasOne } from "./formats.js";
import { isObject } from "./tests.js";
import {
  descriptionOf,
  type FormatName,
  type FormatScope,
  type FormatTests,
  type Issue,
  type Trace,
  type Validator,
} from "./validator.js";

/**
 * True if a value's content fits the formats of its type: base64, URIs, MIME types and `_meta` keys. The structure must
 * be valid.
 */
export function hasFormats(
  validator: Validator,
  value: unknown,
  scope: FormatScope = "all",
): boolean {
  return descriptionOf(validator)?.content?.(value, TESTS[scope]) ?? true;
}

/**
 * Returns the issues that make {@link hasFormats} false. If the value's structure is invalid, its issues are included.
 */
export function formatIssues(
  validator: Validator,
  value: unknown,
  scope: FormatScope = "all",
): Issue[] {
  const trace: Trace = [];
  const description = descriptionOf(validator);
  if (description) explain(description.shapes, description.name, value, trace, SKIPPED[scope]);
  return trace;
}

/** Returns the test for a type's content; null if the content is always valid. */
export function contentTest(
  validator: Validator,
  scope: FormatScope,
): ((value: unknown) => boolean) | null {
  const content = descriptionOf(validator)?.content;
  if (content === undefined) return null;
  const formats = TESTS[scope];
  return (value) => content(value, formats);
}

const SKIPPED: Readonly<Record<FormatScope, readonly FormatName[]>> = {
  all: [],
  own: ["uri", "uri-template"],
  answer: ["meta", "trace"],
};

const TESTS: Readonly<Record<FormatScope, FormatTests>> = {
  all: /* @__PURE__ */ testsWithout(SKIPPED.all),
  own: /* @__PURE__ */ testsWithout(SKIPPED.own),
  answer: /* @__PURE__ */ testsWithout(SKIPPED.answer),
};

function testsWithout(skipped: readonly FormatName[]): FormatTests {
  const passed = Object.fromEntries(skipped.map((name) => [name, () => true]));
  const tests: FormatTests = {
    ...FORMATS,
    ...passed,
    exactlyOne: hasOne,
    each(value, test) {
      if (!Array.isArray(value)) return true;
      for (let index = 0; index < value.length; index++) {
        if (!test(value[index], tests)) return false;
      }
      return true;
    },
    values(value, test, except = []) {
      if (!isObject(value)) return true;
      return Object.keys(value).every((name) => except.includes(name) || test(value[name], tests));
    },
    of(validator, value) {
      return descriptionOf(validator)?.content?.(value, tests) ?? true;
    },
  };
  return tests;
}
