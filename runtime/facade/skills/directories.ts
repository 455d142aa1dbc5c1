import type { ServedFile } from "./given-skill.js";

/** MIME type of a directory among resources. */
const DIRECTORY = "inode/directory";

/** A file or directory in a directory. */
export interface DirectoryChild {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

/** The children of each directory, by its URI: those that skills are in, too. */
export function directoriesOf(
  files: Iterable<ServedFile>,
): ReadonlyMap<string, ReadonlyMap<string, DirectoryChild>> {
  const directories = new Map<string, Map<string, DirectoryChild>>();
  const put = (uri: string, mimeType: string): void => {
    const end = uri.lastIndexOf("/");
    const parent = uri.slice(0, end);
    if (parent.endsWith("/")) return;
    let children = directories.get(parent);
    if (!children) {
      directories.set(parent, (children = new Map()));
      put(parent, DIRECTORY);
    }
    const name = decodeURIComponent(uri.slice(end + 1));
    if (!children.has(uri)) children.set(uri, { uri, name, mimeType });
  };
  for (const { uri, mimeType } of files) put(uri, mimeType);
  return directories;
}
