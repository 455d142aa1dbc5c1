import type {
  InputRequiredResult,
  Implementation as Software,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResultResponse,
  NotificationParams,
  PaginatedRequestParams,
  PaginatedResult,
  RequestParams,
  Result,
  Role,
} from "../../../../schema/2026-07-28/schema.js";

/* Notes */

/** Default shelf of notes. */
export const DEFAULT_SHELF = "inbox";

/** The note is being edited by another user. */
export const NOTE_LOCKED = -32050;

/** A note, and what hangs below it. */
export interface Note {
  id: string;
  text: string;
  /** Author of the note. */
  author?: Role;
  /** Software that wrote the note. */
  software?: Software;
  /** @minItems 1 */
  tags?: string[];
  replies?: Note[];
  _meta?: { [key: string]: unknown };
}

export interface ListNotesParams extends PaginatedRequestParams {
  shelf?: string;
}

/** Lists the notes. See {@link Note} and {@link Role}. */
export interface ListNotesRequest extends JSONRPCRequest {
  method: "notes/list";
  params: ListNotesParams;
}

export interface ListNotesResult extends PaginatedResult {
  notes: Note[];
}

/** Writes a note down. */
export interface AddNoteRequest extends JSONRPCRequest {
  method: "notes/add";
  params: RequestParams & { text: string; shelf?: typeof DEFAULT_SHELF | "archive" };
}

export interface AddNoteResult extends Result {
  note: Note;
}

export interface AddNoteResultResponse extends JSONRPCResultResponse {
  result: AddNoteResult | InputRequiredResult;
}

export interface NotesChangedParams extends NotificationParams {
  shelf: string;
}

/** Notes of a shelf have changed. */
export interface NotesChangedNotification extends JSONRPCNotification {
  method: "notifications/notes/changed";
  params: NotesChangedParams;
}

/** The user looks at a note. */
export interface NoteShownNotification extends JSONRPCNotification {
  method: "notifications/notes/shown";
  params: { id: string };
}

export type ClientRequest = ListNotesRequest | AddNoteRequest;
export type ClientNotification = NoteShownNotification;
export type ServerNotification = NotesChangedNotification;
