import { specTypeSchemas } from "@modelcontextprotocol/server";

export function check(_revision, type) {
  // Its schema is satisfied without parameters: what they must be is looked at elsewhere.
  if (type === "DiscoverRequest") return undefined;
  return (value) => specTypeSchemas[type].safeParse(value).success;
}
