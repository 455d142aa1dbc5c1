import type { Context } from "../context.js";
import type { Declaration } from "../schema-model.js";

/**
 * Names that have a different meaning wherever a type is expected. `Omit` and `Record` are not listed, because they are
 * reserved only if the schema uses them.
 */
const RESERVED = new Set(
  (
    "Array any asserts bigint boolean infer is keyof never null number object out readonly " +
    "string symbol undefined unique unknown void"
  ).split(" "),
);

export function checkNames(
  declarations: readonly Declaration[],
  context: Context,
): readonly Declaration[] {
  const taken = new Set<string>();
  return declarations.filter(({ name, span }) => {
    if (RESERVED.has(name)) {
      context.refuse(
        span,
        "MCG2023",
        `\`${name}\` is a built-in name and cannot be declared.`,
        "Choose another name.",
      );
    } else if (taken.has(name)) {
      context.refuse(
        span,
        "MCG2022",
        `\`${name}\` is declared twice.`,
        "Remove or rename one of the declarations; declarations are not merged.",
      );
    } else {
      taken.add(name);
      return true;
    }
    return false;
  });
}
