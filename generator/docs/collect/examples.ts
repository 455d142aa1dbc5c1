import type { Protocol } from "../../link/protocol.js";

/** An example of a type, from a JSON file next to the schema. */
export interface Example {
  /** The example's title, such as `call-tool-request`. */
  readonly title: string;
  readonly text: string;
}

const INCLUDED = /^\{@includeCode\s+\.\/((?:[\w-]+\/)*([\w-]+)\.json)\}$/;

/**
 * Returns a schema's examples by type. Examples whose files cannot be read are left out.
 *
 * @param read - returns the text of a file, given its path relative to the schema's folder
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
