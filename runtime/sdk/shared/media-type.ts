/** Type and subtype of a `Content-Type` header, in lower case; undefined when there is none. */
export function mediaTypeEssence(header: string | null | undefined): string | undefined {
  const essence = header?.split(";", 1)[0]!.trim().toLowerCase();
  return essence === "" ? undefined : essence;
}

/** True when a `Content-Type` header says JSON, whatever its parameters. */
export function isJsonContentType(header: string | null | undefined): boolean {
  return mediaTypeEssence(header) === "application/json";
}
