import { describe, expect, it } from "vitest";
import { BASICS, linkText, unions } from "./link-text.js";

describe("unusual but legal schemas", () => {
  it("name a message without suffix by its base name", () => {
    const declared = `export interface Request { method: "ask" }
export interface Notification { method: "notifications/tell" }`;
    const arms = { ClientRequest: "Request", ClientNotification: "Notification" };
    const linked = linkText(declared + BASICS + unions(arms));
    expect(linked.found).toEqual([]);
    expect(linked.protocol?.methods.slice(0, 2).map(({ base }) => base)).toEqual([
      "Request",
      "Notification",
    ]);
  });

  it("have no error codes from constants that are not error codes", () => {
    const constants = `export const LIMIT = 100;
export const SIZE = 100;
export const SHARE = -0.5;
export const ODD = -5;
export const EVEN = 6;
export interface EvenError { code: typeof EVEN }`;
    const linked = linkText(constants + BASICS + unions());
    expect(linked.found).toEqual([]);
    expect(linked.protocol?.errorCodes).toEqual([
      { name: "ODD", code: -5, origin: "schema" },
      { name: "EVEN", code: 6, type: "EvenError", origin: "schema" },
    ]);
  });

  it("pair a request with a result of any name by its response", () => {
    const declared = `export interface ListWordsRequest { method: "words/list" }
export interface ListWordsResultResponse { result: WordsPage | LastPage }
export interface WordsPage { words: string[] }
export type LastPage = Ending | Nothing;
export interface Ending { ending: string }
export interface Nothing { words?: string[] }`;
    const arms = { ClientRequest: "ListWordsRequest", ServerResult: "WordsPage | LastPage" };
    const linked = linkText(declared + BASICS + unions(arms));
    expect(linked.found).toEqual([]);
    expect(linked.protocol?.methods[0]!.result?.type).toBe("WordsPage");
  });

  it("list nothing for an empty union", () => {
    const arms = { ServerRequest: "never", ServerNotification: "never | never" };
    const linked = linkText(BASICS + unions(arms));
    expect(linked.found).toEqual([]);
    expect(linked.protocol?.aggregates).toMatchObject({
      ServerRequest: [],
      ServerNotification: [],
    });
  });
});
