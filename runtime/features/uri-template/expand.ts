import { parseTemplate } from "./parse-template.js";
import { parseTemplate as parseForExpansion } from "url-template";

/** The value of a variable. A list or an object is expanded in the way that its expression states. */
export type TemplateValue =
  | string
  | number
  | boolean
  | readonly (string | number | boolean)[]
  | Readonly<Record<string, string | number | boolean>>;

/**
 * Expands a URI template (RFC 6570, all four levels). Variables are omitted if they are undefined, null, or empty lists
 * or objects.
 *
 * @throws TypeError if the template is invalid, or if a value contains half a surrogate pair
 */
export function expand(
  template: string,
  variables: Readonly<Record<string, TemplateValue | null | undefined>>,
): string {
  parseTemplate(template);
  const own = Object.create(null) as Record<string, Given>;
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && value !== null && !isEmpty(value)) own[name] = value as Given;
  }
  try {
    return parseForExpansion(template).expand(own);
  } catch (cause) {
    throw new TypeError("A value cannot be encoded: it has half a surrogate pair", { cause });
  }
}

type Given = Parameters<ReturnType<typeof parseForExpansion>["expand"]>[0][string];

function isEmpty(value: TemplateValue): boolean {
  return typeof value === "object" && Object.keys(value).length === 0;
}
