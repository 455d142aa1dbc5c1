/** Connects any client to any server, and presents several servers as one: `@mcp-codegen/bridge`. */
export { bridge, type BridgeOptions, type ReachedServer } from "./bridge.js";
export type { ConversationsOptions } from "./conversations.js";
export { type HeldCall, HeldCalls, type HeldCallsOptions } from "./held-calls.js";
export type { OnDecision, Policy, PolicyRequest, PolicyRules, PolicyVerdict } from "./policy.js";
export type { RemoteUpstream, Upstream } from "./upstream.js";
