export {
  type EventStore,
  MemoryEventStore,
  type MemoryEventStoreOptions,
  type StoredEvent,
} from "../streams/event-store.js";
export type {
  InstanceMail,
  KeptSession,
  SessionRecord,
  SessionStore,
  SharedStores,
  StreamReading,
  StreamStore,
  StreamWriter,
} from "./stores.js";
export { SharedSessions, type SharedSessionsOptions } from "./shared-sessions.js";
