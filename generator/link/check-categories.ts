import type { LinkContext } from "./context.js";
import type { LinkedMessage } from "./traits.js";

/** Compares the schema's `@category` tags, as independent evidence, with the pairing of requests and results. */
export function checkCategories(linked: readonly LinkedMessage[], context: LinkContext): void {
  const methods = new Set(linked.map(({ method }) => method.method));
  for (const { message, method } of linked) {
    compare(message.declaration.name, method.method, methods, context);
    const answers = method.result?.rule === "empty" ? undefined : method.result?.type;
    if (answers) compare(answers, method.method, methods, context);
  }
}

function compare(
  type: string,
  method: string,
  methods: ReadonlySet<string>,
  context: LinkContext,
): void {
  const declaration = context.shapes.declaration(type);
  const tag = declaration?.doc?.tags.find(({ name }) => name === "category");
  const category = tag?.text.replaceAll("`", "").trim();
  if (!declaration || !category || category === method || !methods.has(category)) return;
  context.report({
    code: "MCG3017",
    severity: "warning",
    message: `${type} is filed under \`${category}\`, but belongs to \`${method}\`.`,
    hint: "Correct the `@category`, the method, or the name by which the two were paired.",
    span: declaration.span,
    about: type,
  });
}
