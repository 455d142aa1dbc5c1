import type { MethodFamily } from "@mcp-codegen/runtime";
import type { RevisionStep } from "../evolve/project/revision-step.js";
import type { Protocol } from "../link/protocol.js";
import { type Invocation, optionWords } from "./command-line.js";
import type { CommonPlan } from "./common-plan.js";
import type { ExtensionPlan } from "./extension-plan.js";
import type { RevisionPlan, Stub } from "./revision-plan.js";

/** Plan of the package that serves several revisions. */
export interface UniversalPlan {
  /** `@mcp-codegen/universal` */
  readonly packageName: string;
  /** Version of the generator, and so of the package. */
  readonly version: string;
  /** True for a package that is installed from archives in its own folder, without a registry. */
  readonly isVendored?: boolean;
  /** Oldest first. */
  readonly protocols: readonly Protocol[];
  /** The revision that handlers are written for. */
  readonly newest: string;
  /** Revisions of the steps: those above, and those between them. Oldest first. */
  readonly allProtocols: readonly Protocol[];
  /** Translations between neighbours among all of them, the oldest first. */
  readonly steps: readonly RevisionStep[];
  /** The revisions are those that come with the generator. */
  readonly isAll: boolean;
  /** Plan of the newest revision's own package. */
  readonly newestPlan: RevisionPlan;
  /** Methods of the client: one for each request of the newest revision that its base class does not cover. */
  readonly stubs: readonly Stub[];
  /** Families of methods that any of the revisions has. */
  readonly families: readonly MethodFamily[];
  /** Members of listed items that a revision lacks although another revision has them, by revision and family. */
  readonly lackingMembers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Types that messages of every revision fit. */
  readonly common: CommonPlan;
  /** Bundled extensions of these revisions. */
  readonly extensions: readonly ExtensionPlan[];
  /** Command line that generated it, as far as the revisions do not tell. */
  readonly invocation: Invocation;
  /** Schemas that do not come with the generator, by revision. */
  readonly ownSchemas: readonly string[];
}

/**
 * True for a revision that is loaded when a peer wants it. A stateless one is needed from the first message on, without a
 * handshake that could wait for it.
 */
export function isOnDemand({ newest }: Pick<UniversalPlan, "newest">, protocol: Protocol): boolean {
  return protocol.revision !== newest && protocol.traits.lifecycle === "initialize";
}

type Origin = Pick<UniversalPlan, "isAll" | "protocols" | "ownSchemas" | "invocation">;

/** Words of the command that generates the package again; of the schemas that are not bundled, it can name one. */
export function universalWords({
  isAll,
  protocols,
  ownSchemas,
  invocation,
}: Origin): readonly string[] {
  if (isAll) return ["--all"];
  const own = protocols.find(({ revision }) => ownSchemas.includes(revision));
  const others = protocols.filter((protocol) => protocol !== own);
  const revisions = [...others, ...(own ? [own] : [])].map(({ revision }) => revision);
  return [
    "--universal",
    ...optionWords("schema", own && (invocation.schema ?? own.source.file)),
    ...revisions.flatMap((id) => optionWords("revision", id)),
  ];
}
