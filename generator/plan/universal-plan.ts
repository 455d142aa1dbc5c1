import type { MethodFamily } from "@mcp-codegen/runtime";
import type { RevisionStep } from "../evolve/project/draft.js";
import type { Protocol } from "../link/protocol.js";
import { type Invocation, optionWords } from "./command-line.js";
import type { CommonPlan } from "./common-plan.js";
import type { ExtensionPlan } from "./extension-plan.js";
import type { RevisionPlan, Stub } from "./revision-plan.js";

/** The plan for a package that serves several revisions. */
export interface UniversalPlan {
  readonly packageName: string;
  readonly version: string;
  readonly isVendored?: boolean;
  readonly protocols: readonly Protocol[];
  /** The id of the revision that handlers are written for. */
  readonly newest: string;
  /** The protocols of the served revisions and of those in between, oldest first. */
  readonly allProtocols: readonly Protocol[];
  /** The translations between adjacent revisions, oldest first, including revisions between the served ones. */
  readonly steps: readonly RevisionStep[];
  /** True if the served revisions are exactly the bundled ones. */
  readonly isAll: boolean;
  readonly newestPlan: RevisionPlan;
  /** The client's methods for requests of the newest revision, except those that its base class already covers. */
  readonly stubs: readonly Stub[];
  readonly families: readonly MethodFamily[];
  /** The members of listed items that a revision lacks but another has, by revision and family. */
  readonly lackingMembers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly common: CommonPlan;
  readonly extensions: readonly ExtensionPlan[];
  readonly invocation: Invocation;
  readonly ownSchemas: readonly string[];
}

/**
 * Returns true if the revision is loaded only when a peer requests it. Stateless revisions must be available for the
 * first message, because there is no handshake during which they could be loaded.
 */
export function isOnDemand({ newest }: Pick<UniversalPlan, "newest">, protocol: Protocol): boolean {
  return protocol.revision !== newest && protocol.traits.lifecycle === "initialize";
}

type Origin = Pick<UniversalPlan, "isAll" | "protocols" | "ownSchemas" | "invocation">;

/**
 * Returns the arguments of the command that regenerates the package. The command can name only one schema that is not
 * bundled.
 */
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
