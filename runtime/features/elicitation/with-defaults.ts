import type { FormContent, FormSchema } from "./form-schema.js";

/** Completes the content of a form with the defaults of its fields. */
export function withDefaults({ properties }: FormSchema, content: FormContent): FormContent {
  const defaults = Object.entries(properties).flatMap(([name, field]) =>
    field.default === undefined || Object.hasOwn(content, name) ? [] : [[name, field.default]],
  );
  return Object.fromEntries([...Object.entries(content), ...defaults]) as FormContent;
}
