import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Project } from "ts-morph";
import { root } from "../support/pack.js";

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

/** A revision that does not exist: 2026-07-28 with methods, fields, unions and codes added, removed and renamed. */
export function futureSchema(): string {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const text = readFileSync(join(root, "schema/2026-07-28/schema.ts"), "utf8");
  const file = project.createSourceFile("schema.ts", text + ADDED);
  const extend = (alias: string, ...arms: string[]) => {
    const union = file.getTypeAliasOrThrow(alias);
    union.setType([union.getTypeNodeOrThrow().getText(), ...arms].join(" | "));
  };
  const drop = (alias: string, ...arms: string[]) => {
    const union = file.getTypeAliasOrThrow(alias);
    const isKept = (arm: string) => !arms.includes(arm);
    const kept = union
      .getTypeNodeOrThrow()
      .getText()
      .split("|")
      .map((arm) => arm.trim())
      .filter(Boolean);
    union.setType(kept.filter(isKept).join(" | "));
  };

  extend("ClientRequest", "SearchNotesRequest");
  extend("ServerResult", "SearchNotesResult");
  extend("ServerNotification", "NoteListChangedNotification");
  extend("ContentBlock", "VideoContent");
  extend("LoggingLevel", '"trace"');
  file.getInterfaceOrThrow("ServerCapabilities").addProperty({
    name: "notes",
    hasQuestionToken: true,
    type: "{ listChanged?: boolean }",
    docs: ["Present when the server keeps notes."],
  });
  file
    .getInterfaceOrThrow("Tool")
    .addProperty({ name: "cost", type: "number", docs: ["Tokens per call."] });
  file.getInterfaceOrThrow("Prompt").getPropertyOrThrow("description").remove();
  file.getInterfaceOrThrow("PromptArgument").rename("PromptParameter");

  drop("ClientRequest", "CompleteRequest");
  drop("ServerResult", "CompleteResult");
  for (const name of [
    "CompleteRequestParams",
    "CompleteRequest",
    "CompleteResult",
    "CompleteResultResponse",
  ]) {
    file.getInterfaceOrThrow(name).remove();
  }
  return file.getFullText();
}
