import type { RawEnd } from "./raw-end.js";

let count = 0;

/** Returns the server's notes under a label. */
export async function notesOf(raw: RawEnd, label: string): Promise<string[]> {
  const params = { name: "witness", arguments: { label } };
  const { result } = await raw.call(`notes ${(count += 1)}`, "tools/call", params);
  return JSON.parse(result.content[0].text) as string[];
}
