import { specTypeSchemas } from "@modelcontextprotocol/server";

export function check(_revision, type) {
  // Its schema accepts a request without parameters; they are checked elsewhere.
  if (type === "DiscoverRequest") return undefined;
  return (value) => specTypeSchemas[type].safeParse(value).success;
}
