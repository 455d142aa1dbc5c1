import type { Protocol } from "../link/protocol.js";

type NamedProtocol = Pick<Protocol, "name" | "revision" | "specification">;

/** The protocol of a package, as it follows "the": `Model Context Protocol 2025-03-26`, or `protocol weather`. */
export function protocolName({ name, revision }: NamedProtocol): string {
  return name === undefined ? `protocol ${revision}` : `${name} ${revision}`;
}

/** The same as a sentence begins, in Markdown. */
export function protocolTitle({ name, revision, specification }: NamedProtocol): string {
  if (name === undefined) return `The protocol \`${revision}\``;
  const page = specification?.replaceAll("(", "%28").replaceAll(")", "%29");
  return `Revision ${revision} of the ${page === undefined ? name : `[${name}](${page})`}`;
}
