import type { Protocol } from "../../link/protocol.js";

/** Example of a schema, from a JSON file beside it. */
export interface Example {
  /** Title, such as `call-tool-request`. */
  readonly title: string;
  readonly text: string;
}

const INCLUDED = /^\{@includeCode\s+\.\/((?:[\w-]+\/)*([\w-]+)\.json)\}$/;

/**
 * Returns the examples of a schema by type, in the order of their tags. Examples whose files cannot be read are
 * left out.
 *
 * @param read - returns the text of a file; its path is relative to the folder of the schema
 */
export function examplesOf(
  { declarations }: Protocol,
  read: (path: string) => string | undefined,
): ReadonlyMap<string, readonly Example[]> {
  const found = new Map<string, readonly Example[]>();
  for (const { name, doc } of declarations) {
    const own = (doc?.tags ?? []).flatMap((tag): readonly Example[] => {
      const [, path, title] = INCLUDED.exec(tag.text.trim()) ?? [];
      const text = tag.name === "example" && path !== undefined ? read(path) : undefined;
      return text === undefined ? [] : [{ title: title!, text: text.trimEnd() }];
    });
    if (own.length > 0) found.set(name, own);
  }
  return found;
}
