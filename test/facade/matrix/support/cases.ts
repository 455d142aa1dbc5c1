import type { WireName } from "./link.js";

export const REVISIONS = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28",
] as const;

export type RevisionId = (typeof REVISIONS)[number];

export function wiresOf(revision: RevisionId): readonly WireName[] {
  return ["stdio", revision === "2024-11-05" ? "sse" : "http"];
}

/** Each revision with each of its transports. */
export const CASES: readonly (readonly [RevisionId, WireName])[] = REVISIONS.flatMap((revision) =>
  wiresOf(revision).map((wire) => [revision, wire] as const),
);
