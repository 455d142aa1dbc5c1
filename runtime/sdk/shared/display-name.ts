import type { BaseMetadata } from "./message-types.js";

/** Name to show to people: `title`, else the title in a tool's annotations, else `name`. */
export function getDisplayName(
  metadata: BaseMetadata & { annotations?: object | undefined },
): string {
  return metadata.title || titleIn(metadata.annotations) || metadata.name;
}

function titleIn(annotations: object | undefined): string | undefined {
  return (annotations as { title?: string } | undefined)?.title;
}
