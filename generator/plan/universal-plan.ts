import type { MethodFamily } from "@mcp-codegen/runtime";
import type { RevisionStep } from "../evolve/project/draft.js";
import type { Protocol } from "../link/protocol.js";
import { type Invocation, optionWords } from "./command-line.js";
import type { CommonPlan } from "./common-plan.js";
import type { ExtensionPlan } from "./extension-plan.js";
import type { RevisionPlan, Stub } from "./revision-plan.js";

/** Plan of the package that serves several revisions. */
export interface UniversalPlan {
  /** Name of the package, such as `@mcp-codegen/universal`. */
  readonly packageName: string;
  /** Version of the generator, which is also that of the package. */
  readonly version: string;
  /** True for a package that is installed from archives in its own folder, without a registry. */
  readonly isVendored?: boolean;
  /** Protocols of the served revisions, oldest first. */
  readonly protocols: readonly Protocol[];
  /** Id of the revision that handlers are written for. */
  readonly newest: string;
  /** Protocols of all steps: those of the served revisions, and of revisions between them, oldest first. */
  readonly allProtocols: readonly Protocol[];
  /**
   * Translations between adjacent revisions, the oldest first. They include revisions that are not served, but
   * lie between served ones.
   */
  readonly steps: readonly RevisionStep[];
  /** True if all revisions are bundled. */
  readonly isAll: boolean;
  /** Plan of the newest revision's own package. */
  readonly newestPlan: RevisionPlan;
  /** Methods of the client: one for each request of the newest revision that its base class does not cover. */
  readonly stubs: readonly Stub[];
  /** Families of methods that any of the revisions has. */
  readonly families: readonly MethodFamily[];
  /** Members of listed items that a revision lacks but another revision has, by revision and family. */
  readonly lackingMembers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Types that messages of every revision satisfy. */
  readonly common: CommonPlan;
  /** Bundled extensions of these revisions. */
  readonly extensions: readonly ExtensionPlan[];
  /**
   * Arguments that cannot be derived from the revisions, for the command in the file headers that regenerates the
   * package.
   */
  readonly invocation: Invocation;
  /** Revisions whose schemas are not bundled. */
  readonly ownSchemas: readonly string[];
}

/**
 * True for a revision that is loaded only when a peer requests it. A stateless revision is already needed for the first
 * message, because there is no handshake during which it could be loaded.
 */
export function isOnDemand({ newest }: Pick<UniversalPlan, "newest">, protocol: Protocol): boolean {
  return protocol.revision !== newest && protocol.traits.lifecycle === "initialize";
}

type Origin = Pick<UniversalPlan, "isAll" | "protocols" | "ownSchemas" | "invocation">;

/** Returns the arguments of the command that regenerates the package. It can name one schema that is not bundled. */
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
