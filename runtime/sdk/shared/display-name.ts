import type { BaseMetadata } from "./message-types.js";

/** Name to show to people: `title`, else the title in a tool's annotations, else `name`. */
export function getDisplayName(
  metadata: BaseMetadata & { annotations?: { title?: string } | undefined },
): string {
  return metadata.title || metadata.annotations?.title || metadata.name;
}
