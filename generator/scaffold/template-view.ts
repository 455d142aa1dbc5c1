import {
  installCommand,
  type PackageManager,
  runCommand,
  startCommand,
  testCommand,
} from "./package-manager.js";
import type { Template } from "./templates.js";

export interface ScaffoldOptions {
  readonly packageName: string;
  /** The revision that the project uses, or undefined if it supports all revisions. */
  readonly revision: string | undefined;
  /** The version of the packages that the project depends on. */
  readonly version: string;
  readonly packageManager: PackageManager;
  /** True if clients log in, and servers require authorization. */
  readonly isAuthorized: boolean;
  /** The lock file's name for the server whose contract a client includes. */
  readonly server?: string | undefined;
}

export function templateView({ headline }: Template, options: ScaffoldOptions): object {
  const { packageName, revision, version, packageManager, isAuthorized, server } = options;
  return {
    name: packageName,
    workerName: packageName.replace(/^@/, "").replace(/[^a-z0-9]+/g, "-"),
    version,
    headline,
    isUniversal: revision === undefined,
    isPinned: revision !== undefined,
    isAuthorized,
    isLocked: server !== undefined,
    server: server ?? "",
    protocolPackage: `@mcp-codegen/${revision ?? "universal"}`,
    revisionPattern: revision ?? String.raw`\d{4}-\d\d-\d\d`,
    scope: revision === undefined ? "all revisions of the protocol" : `revision ${revision}`,
    advice: revision === undefined ? UNIVERSAL : pinned(revision),
    install: installCommand(packageManager),
    run: runCommand(packageManager),
    start: startCommand(packageManager),
    test: testCommand(packageManager),
  };
}

const UNIVERSAL = `Code here uses the types of the newest revision; the package translates for peers of older revisions. If you need one
revision only, depend on its package, \`@mcp-codegen/2025-11-25\` for example, instead of \`@mcp-codegen/universal\`.`;

function pinned(revision: string): string {
  return `Parameters and results are checked against the protocol at run time, and by the compiler: code that
revision ${revision} does not support does not compile. To move to another revision, change the dependency and the name of
the package in the imports; the compiler shows the differences. \`@mcp-codegen/universal\` serves all revisions.`;
}
