import {
  type Conversations,
  type Lifecycle,
  type LifecycleStrategy,
  ofLifecycle,
} from "../engine/index.js";
import { serverHandshake } from "../session/index.js";
import { serverStateless } from "../stateless/index.js";
import { revisionNamed } from "../wire/index.js";

/** The lifecycle of a `ServerBase` for session revisions, stateless ones, or both. */
export const serverOfAnyKind: LifecycleStrategy = (opening) => {
  const statelessRevisions = ofLifecycle(opening.revisions, "discover");
  const sessionRevisions = ofLifecycle(opening.revisions, "initialize");
  if (sessionRevisions.length === 0) return serverStateless(opening);
  if (statelessRevisions.length === 0) return serverHandshake(opening);
  const stateless = serverStateless({ ...opening, revisions: statelessRevisions });
  const sessions = serverHandshake({ ...opening, revisions: sessionRevisions });
  const receive = receiverOf(stateless);
  return {
    begin: (start) => sessions.begin({ ...start, receive }),
    get stateless() {
      return stateless.stateless;
    },
    load: () => stateless.load!(),
  };
};

/**
 * Creates the function that decides which messages of a connection are stateless: those that name their revision,
 * and those that the session does not know. All others belong to the session (MCP: versioning, compatibility).
 */
function receiverOf(conversations: Conversations): Lifecycle["receive"] {
  return ({ lifecycle }, kind, method, params) => {
    const version = revisionNamed(params);
    const { agreement, binding } = lifecycle;
    const isKnown =
      kind === "notification"
        ? agreement !== undefined || binding.notifications.has(method)
        : binding.requests.has(method);
    if (version === undefined && isKnown) return undefined;
    const { stateless } = conversations;
    if (stateless === undefined) return conversations.load!();
    const isStateless =
      version !== undefined || kind === "notification" || stateless.answers(method);
    return isStateless ? stateless.conversationFor(kind, method, params, version) : undefined;
  };
}
