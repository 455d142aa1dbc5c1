import type { Launch } from "../../core/program.js";
import { type Kind, revisionOf } from "./conversation.js";

/** A server that is measured through a pipe. */
export interface Server {
  readonly name: string;
  readonly launch: Launch;
  /** True for the limit program, which checks nothing. */
  readonly isUnchecked?: boolean;
}

/** The package of one revision. This condition resolves `#revision` in its programs. */
export const pinned = "one revision";
/** A program of SDK 2.4 with its imports changed to `@mcp-codegen/sdk`. */
export const moved = "moved in";
export const conditionsOf = (kind: Kind): readonly string[] => ["-C", revisionOf[kind]];

/** Returns the servers of this era. */
export function serversOf(kind: Kind, env: Record<string, string> = {}): readonly Server[] {
  return [
    { name: "limit", launch: ["stdio/limit.mjs", { ...env, KIND: kind }], isUnchecked: true },
    { name: pinned, launch: ["stdio/pinned.mjs", env, conditionsOf(kind)] },
    { name: "universal", launch: ["stdio/universal.mjs", env] },
    { name: moved, launch: ["stdio/moved.mjs", env] },
    ...(kind === "session" ? [{ name: "sdk 1.32", launch: sdk1(env) }] : []),
    { name: "sdk 2.4", launch: ["stdio/sdk-2.mjs", env] },
    { name: "tmcp 1.20", launch: ["stdio/tmcp.mjs", env] },
  ];
}

const sdk1 = (env: Record<string, string>): Launch => ["stdio/sdk-1.mjs", env];
