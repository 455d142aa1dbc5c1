import type { Depth } from "../core/section.js";
import type { Asking } from "../drivers/http/client.js";
import type { Server } from "../drivers/http/load.js";

type PinnedRevision = "2025-11-25" | "2026-07-28";

/** One way to ask and to answer, which all contestants are measured in that can do it. */
export interface HttpCase {
  readonly id: string;
  readonly title: string;
  readonly revision: PinnedRevision;
  readonly sessions: boolean;
  readonly tool: Asking["tool"];
  /** Whether the servers are functions of a `Request`, all on the same adapter. */
  readonly isWeb?: boolean;
  /** Beside the limit and ours. */
  readonly peers: readonly Peer[];
  readonly isShort?: boolean;
}

type Peer = keyof typeof peers;

const peers = {
  "sdk 1.32": { file: "sdk-1.mjs" },
  "sdk 2.4": { file: "sdk-2.mjs" },
  "tmcp 1.20": { file: "tmcp.mjs" },
  "mcp-lite 0.10": { file: "mcp-lite.mjs", revision: "2025-06-18" },
} as const;

const sdks = ["sdk 1.32", "sdk 2.4"] as const;
const stateful = { revision: "2025-11-25", sessions: true } as const;
const stateless = { revision: "2025-11-25", sessions: false } as const;
const alone = { revision: "2026-07-28", sessions: false } as const;

export const cases: readonly HttpCase[] = [
  {
    id: "stateful",
    title: "sessions, JSON",
    ...stateful,
    tool: "echo",
    peers: [...sdks, "mcp-lite 0.10"],
    isShort: true,
  },
  { id: "stateful-long", title: "sessions, JSON, 10 KiB", ...stateful, tool: "long", peers: sdks },
  {
    id: "stateful-stream",
    title: "sessions, SSE",
    ...stateful,
    tool: "tell",
    peers: [...sdks, "tmcp 1.20", "mcp-lite 0.10"],
    isShort: true,
  },
  {
    id: "stateless",
    title: "2025-11-25 without sessions, JSON",
    ...stateless,
    tool: "echo",
    peers: [...sdks, "mcp-lite 0.10"],
  },
  {
    id: "alone",
    title: "2026-07-28, JSON",
    ...alone,
    tool: "echo",
    peers: ["sdk 2.4"],
    isShort: true,
  },
  {
    id: "alone-long",
    title: "2026-07-28, JSON, 10 KiB",
    ...alone,
    tool: "long",
    peers: ["sdk 2.4"],
  },
  {
    id: "alone-stream",
    title: "2026-07-28, SSE",
    ...alone,
    tool: "tell",
    peers: ["sdk 2.4", "tmcp 1.20"],
  },
  {
    id: "web-stateful",
    title: "web handler, sessions, JSON",
    ...stateful,
    tool: "echo",
    isWeb: true,
    peers: [],
  },
  {
    id: "web-alone",
    title: "web handler, 2026-07-28, JSON",
    ...alone,
    tool: "echo",
    isWeb: true,
    peers: [],
    isShort: true,
  },
];

/** Ours, told to keep nothing of its streams for clients that come back: no peer does so unasked. */
export const keepsNothing = (revision: string): string => `${revision}, keeping nothing`;

export function serversOf(one: HttpCase, depth: Depth): readonly Server[] {
  const { revision, sessions, tool, isWeb = false } = one;
  const env = {
    REVISION: revision,
    ...(!sessions && { SESSIONS: "none" }),
    ...(tool === "tell" && { ANSWERS: "streams" }),
    ...(isWeb && { VIA: "web" }),
  };
  const asking = { revision, sessions, tool };
  const isPeerOf = (name: Peer): boolean => depth === "full" || name === "sdk 2.4";
  const keeping = sessions && tool === "tell" && depth === "full";
  return [
    { name: "limit", file: isWeb ? "limit-web.mjs" : "limit.mjs", env, asking, isUnchecked: true },
    { name: revision, file: "pinned.mjs", env, asking },
    ...(keeping
      ? [
          {
            name: keepsNothing(revision),
            file: "pinned.mjs",
            env: { ...env, KEEPS: "nothing" },
            asking,
          },
        ]
      : []),
    { name: "universal", file: "universal.mjs", env, asking },
    ...one.peers.filter(isPeerOf).map((name) => ({
      name,
      file: peers[name].file,
      env,
      asking: { ...asking, ...ofPeer(name, tool) },
    })),
  ];
}

/** What a peer has to be asked otherwise. */
function ofPeer(name: Peer, tool: Asking["tool"]): Partial<Asking> {
  if (name !== "mcp-lite 0.10") return {};
  const { revision } = peers[name];
  return tool === "tell" ? { revision } : { revision, accept: "application/json" };
}
