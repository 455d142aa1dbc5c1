import type { Leg } from "./leg.js";

/** Scenarios that the suite has only for a later revision, although what they check existed earlier. */
const TRANSPORT = ["dns-rebinding-protection", "server-sse-multiple-streams"];

/** The features that existed before the first revision for which the suite has scenarios. */
const FEATURES = [
  "server-initialize",
  "ping",
  "logging-set-level",
  "completion-complete",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-with-logging",
  "tools-call-with-progress",
  "tools-call-error",
  "tools-call-sampling",
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
];

/** The scenarios of the skills extension, which no set of requirements includes. */
const SKILLS_SERVER = [
  "sep-2640-skills-directory",
  "sep-2640-skills-enumeration",
  "sep-2640-skills-manifest",
];
const SKILLS_CLIENT = [
  "sep-2640-client-no-prefetch",
  "sep-2640-client-verify-digest",
  "sep-2640-client-verify-frontmatter",
  "sep-2640-client-verify-size",
];

/** The legs that test one server at each revision, one after the other. The clients are tested in parallel. */
export const serverLegs: readonly Leg[] = [
  {
    side: "server",
    revision: "2026-07-28",
    agreed: "2025-11-25",
    calls: [
      ["--requirements", "2026-07-28"],
      ...SKILLS_SERVER.map((name) => forced(name, "2026-07-28")),
    ],
  },
  { side: "server", revision: "2025-11-25", calls: [["--requirements", "2025-11-25"]] },
  restricted("2025-06-18", TRANSPORT),
  restricted("2025-03-26", [...FEATURES, ...TRANSPORT]),
];

/** Legs with three instances behind a proxy without stickiness, at the newest revision of each kind of conversation. */
export const sharedLegs: readonly Leg[] = serverLegs
  .filter(({ only }) => only === undefined)
  .map((leg) => ({ ...leg, instances: 3 }));

/**
 * Legs with a bridge at each kind of revision, in front of a server of the other kind. `losses.json` lists everything
 * that cannot pass through the bridge.
 */
export const bridgeLegs: readonly Leg[] = serverLegs.flatMap((leg) => {
  if (leg.revision === "2025-03-26") return [];
  const before = leg.revision === "2026-07-28" ? "2025-11-25" : "2026-07-28";
  return [{ ...leg, before }];
});

export const clientLegs: readonly Leg[] = [
  {
    side: "client",
    revision: "2026-07-28",
    calls: [
      ["--requirements", "2026-07-28"],
      ...SKILLS_CLIENT.map((name) => forced(name, "2026-07-28")),
    ],
  },
  { side: "client", revision: "2025-11-25", calls: [["--requirements", "2025-11-25"]] },
  { side: "client", revision: "2025-06-18", calls: [suiteAt("2025-06-18")] },
  { side: "client", revision: "2025-03-26", calls: [suiteAt("2025-03-26")] },
];

/**
 * Creates a leg whose server negotiates only one revision. It runs the scenarios that apply to that revision, and
 * forced ones.
 */
function restricted(revision: string, scenarios: readonly string[]): Leg {
  const calls = [suiteAt(revision), ...scenarios.map((name) => forced(name, revision))];
  return { side: "server", revision, only: revision, calls };
}

function forced(name: string, revision: string): string[] {
  return ["--scenario", name, "--spec-version", revision, "--force"];
}

function suiteAt(revision: string): string[] {
  return ["--suite", "all", "--spec-version", revision];
}
