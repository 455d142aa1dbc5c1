import type { HandlerLife } from "./handler-state.js";
import type { ByteBudget } from "./limits.js";
import type { HttpHandlerOptions, Settings } from "./option-types.js";
import type { PostsInFlight } from "./requests/posts-in-flight.js";
import type { RequestKinds, ServedRevisions, ServerInstance } from "./requests/revisions.js";
import type { SessionSharing } from "./sessions/session-sharing.js";
import type { StreamSettings } from "./streams/event-stream.js";

/** Objects that the parts of an endpoint share: its sessions, and its stateless requests. */
export interface EndpointParts {
  readonly server: ServerInstance;
  readonly settings: Settings<HttpHandlerOptions>;
  /** Revisions of the server by kind of conversation. */
  readonly revisions: ServedRevisions;
  readonly kinds: RequestKinds;
  /** True if clients get sessions. */
  readonly hasSessions: boolean;
  /** Sharing of the sessions with other instances; undefined if they stay at one. */
  readonly sharing: SessionSharing | undefined;
  /** The store of shared sessions is among them; others have their own. */
  readonly streams: StreamSettings;
  readonly life: HandlerLife;
  readonly posts: PostsInFlight;
  /** Bytes of the bodies that are being read. */
  readonly reading: ByteBudget;
  /** Bytes of the messages that opened sessions and subscriptions. */
  readonly kept: ByteBudget;
  readonly report: (error: Error) => void;
}
