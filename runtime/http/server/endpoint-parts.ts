import { reporter } from "../../engine/index.js";
import { handlerLife, type HandlerLife } from "./handler-state.js";
import type { ByteBudget } from "./limits.js";
import type { HttpHandlerOptions, Settings } from "./option-types.js";
import { type PostsInFlight, postsInFlight } from "./requests/posts-in-flight.js";
import { type RequestKinds, requestKinds, type ServedRevisions } from "./requests/request-kinds.js";
import { servedRevisions, type ServerInstance } from "./requests/server-instance.js";
import type { SessionSharing } from "./sessions/session-sharing.js";
import type { StreamSettings } from "./streams/stream-settings.js";

export interface EndpointParts {
  readonly server: ServerInstance;
  readonly settings: Settings<HttpHandlerOptions>;
  readonly revisions: ServedRevisions;
  readonly kinds: RequestKinds;
  readonly hasSessions: boolean;
  readonly sharing: SessionSharing | undefined;
  /**
   * The settings of the streams; absent until a part has streams (`streamsOf`). They contain the sessions' event store
   * if the sessions are shared. Sessions that are not shared have a store of their own.
   */
  streams?: StreamSettings;
  readonly life: HandlerLife;
  readonly posts: PostsInFlight;
  /** The byte budget for bodies that are being read. */
  readonly reading: ByteBudget;
  /** The byte budget for messages that opened sessions and subscriptions. */
  readonly kept: ByteBudget;
  readonly report: (error: Error) => void;
}

export function endpointParts(
  server: ServerInstance,
  settings: Settings<HttpHandlerOptions>,
): EndpointParts {
  const revisions = servedRevisions(server);
  const report = reporter(settings.onerror);
  const hasSessions = revisions.sessions.length > 0 && settings.sessions !== false;
  const isShared = hasSessions && typeof settings.sessions === "object";
  const sharing = isShared ? settings.sessions : undefined;
  return {
    server,
    settings,
    revisions,
    kinds: requestKinds(server.revisions),
    hasSessions,
    sharing,
    life: handlerLife(sharing && { sessions: () => sharing.check() }),
    posts: postsInFlight(settings),
    reading: { most: settings.maxBytesUnderWay, bytes: 0 },
    kept: { most: settings.maxBytesKept, bytes: 0 },
    report,
  };
}
