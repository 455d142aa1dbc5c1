import { quote } from "../../wire/index.js";

/** Extension id with a prefix, in the notation of `_meta` keys (MCP: extensions). */
const ID =
  /^[a-z](?:[a-z\d-]*[a-z\d])?(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/[a-z\d](?:[\w.-]*[a-z\d])?$/i;

/** @throws TypeError for what is no id of an extension */
export function assertExtensionId(id: unknown): asserts id is string {
  if (typeof id === "string" && ID.test(id)) return;
  throw new TypeError(
    `${quote(String(id))} is no id of an extension: give it a prefix, as in "com.example/maps"`,
  );
}
