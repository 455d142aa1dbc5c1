import type { MethodFamily } from "@mcp-codegen/runtime";
import type { RevisionStep } from "../evolve/project/draft.js";
import type { Protocol } from "../link/protocol.js";
import { type Invocation, optionWords } from "./command-line.js";
import type { CommonPlan } from "./common-plan.js";
import type { ExtensionPlan } from "./extension-plan.js";
import type { RevisionPlan, Stub } from "./revision-plan.js";

/** Plan of the package that serves several revisions. */
export interface UniversalPlan {
  readonly packageName: string;
  readonly version: string;
  readonly isVendored?: boolean;
  readonly protocols: readonly Protocol[];
  /** Id of the revision that handlers are written for. */
  readonly newest: string;
  /** Protocols of the served revisions and of those in between, oldest first. */
  readonly allProtocols: readonly Protocol[];
  /** Translations between adjacent revisions, oldest first. Revisions between served ones are included. */
  readonly steps: readonly RevisionStep[];
  /** True if the served revisions are exactly the bundled ones. */
  readonly isAll: boolean;
  readonly newestPlan: RevisionPlan;
  /** Methods of the client for requests of the newest revision, except those that its base class covers. */
  readonly stubs: readonly Stub[];
  readonly families: readonly MethodFamily[];
  /** Members of listed items that a revision lacks but another revision has, by revision and family. */
  readonly lackingMembers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly common: CommonPlan;
  readonly extensions: readonly ExtensionPlan[];
  readonly invocation: Invocation;
  readonly ownSchemas: readonly string[];
}

/**
 * True for a revision that is loaded only when a peer requests it. Stateless revisions are needed for the first
 * message, because there is no handshake during which they could be loaded.
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
