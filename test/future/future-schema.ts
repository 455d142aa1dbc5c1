import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/pack.js";
import { Draft } from "./draft.js";

/** Additions of the made-up revision to 2026-07-28. */
const ADDED = `
/** A term or two to look for. */
export interface SearchNotesRequestParams extends RequestParams {
  /** Text to look for; not empty. */
  query: string;
  /** Maximum number of notes, 1 to 100. Absent means 10. */
  limit?: number;
}

/** Looks notes up. */
export interface SearchNotesRequest extends JSONRPCRequest {
  method: "notes/search";
  params: SearchNotesRequestParams;
}

/** The notes that were found, best first. */
export interface SearchNotesResult extends Result {
  notes: Note[];
}

/** A note and how well it fits. */
export interface Note {
  text: string;
  /**
   * Score from 0 to 1.
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  score: number;
}

/** Answer to {@link SearchNotesRequest}. */
export interface SearchNotesResultResponse extends JSONRPCResultResponse {
  result: SearchNotesResult | InputRequiredResult;
}

/** Lists all notes. */
export interface ListNotesRequest extends PaginatedRequest {
  method: "notes/list";
}

/** A page of notes. */
export interface ListNotesResult extends PaginatedResult, CacheableResult {
  notes: Note[];
}

/** Answer to {@link ListNotesRequest}. */
export interface ListNotesResultResponse extends JSONRPCResultResponse {
  result: ListNotesResult;
}

/** The note to read. */
export interface ReadNoteRequestParams extends RequestParams {
  text: string;
}

/** Reads a note. */
export interface ReadNoteRequest extends JSONRPCRequest {
  method: "notes/read";
  params: ReadNoteRequestParams;
}

/** A note with its author. */
export interface ReadNoteResult extends Result {
  text: string;
  author: string;
}

/** Answer to {@link ReadNoteRequest}. */
export interface ReadNoteResultResponse extends JSONRPCResultResponse {
  result: ReadNoteResult;
}

/** Asks the user to pick a note. */
export interface PickNoteRequest {
  method: "notes/pick";
  params: PickNoteRequestParams;
}

/** The notes to choose from. */
export interface PickNoteRequestParams {
  notes: Note[];
}

/** The note that the user picked. */
export interface PickNoteResult {
  picked: string;
}

/** A note came, went or changed. */
export interface NoteListChangedNotification extends JSONRPCNotification {
  method: "notifications/notes/list_changed";
  params?: NotificationParams;
}

/** Moving pictures. */
export interface VideoContent {
  type: "video";
  /** @format byte */
  data: string;
  mimeType: string;
}

/** The client asks too much. */
export const RATE_LIMITED = -32023;
`;

/**
 * Facts of that revision: the valid ones of 2026-07-28, and what its prose states about
 * subscriptions.
 */
export function futureFacts(revision: string): string {
  const file = join(root, "schema/2026-07-28/facts.json");
  const {
    official: _,
    successors: __,
    rules: ___,
    places: ____,
    ...facts
  } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly conditions: readonly object[];
    readonly [name: string]: unknown;
  };
  const condition = {
    method: "subscriptions/listen",
    member: "notifications.notesListChanged",
    capability: "server.notes.listChanged",
    unmet: "drop",
    reason: "A filter is acknowledged without news that the server does not offer.",
    source: "https://example.com/subscriptions",
  };
  const conditions = [...facts.conditions, condition];
  return JSON.stringify({ ...facts, $schema: undefined, revision, conditions }, undefined, 2);
}

/** A revision that does not exist: 2026-07-28 with methods, fields, unions and codes added, removed and renamed. */
export function futureSchema(): string {
  return new Draft(ADDED)
    .extend("ClientRequest", "SearchNotesRequest", "ListNotesRequest", "ReadNoteRequest")
    .extend("ServerResult", "SearchNotesResult", "ListNotesResult", "ReadNoteResult")
    .extend("InputRequest", "PickNoteRequest")
    .extend("InputResponse", "PickNoteResult")
    .extend("ServerNotification", "NoteListChangedNotification")
    .extend("ContentBlock", "VideoContent")
    .extend("LoggingLevel", '"trace"')
    .member("ClientCapabilities", "notes?", "object", "Present when the user can pick a note.")
    .member("SubscriptionFilter", "notesListChanged?", "boolean", "Changes of the list of notes.")
    .member(
      "ServerCapabilities",
      "notes?",
      "{ listChanged?: boolean }",
      "Present when the server keeps notes.",
    )
    .member("Tool", "cost", "number", "Tokens per call.")
    .removeMember("Prompt", "description")
    .rename("PromptArgument", "PromptParameter")
    .drop("ClientRequest", "CompleteRequest")
    .drop("ServerResult", "CompleteResult")
    .remove("CompleteRequestParams", "CompleteRequest", "CompleteResult", "CompleteResultResponse")
    .text;
}
