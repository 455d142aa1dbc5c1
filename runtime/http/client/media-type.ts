/** The media type of a response in lower case, without parameters; empty when it does not say. */
export function mediaType({ headers }: Response): string {
  const type = headers.get("content-type") ?? "";
  return type.split(";", 1)[0]!.trim().toLowerCase();
}

export const JSON_TYPE = "application/json";
export const EVENT_STREAM = "text/event-stream";
