import { describe, expect, it } from "vitest";
import { planFamilies } from "../../generator/plan/families.js";
import { Shapes } from "../../generator/model/shape.js";
import { BASICS, linkText, unions } from "./link-text.js";

const CHARTS = `
export interface Paged { cursor?: string }
export interface BarChart { title: string; id: string; size?: number }
export interface ChartTemplate {
  name: string;
  /** @format uri-template */
  pattern: string;
}
export interface ListChartsRequest { method: "charts/list"; params?: Paged }
export interface ListChartsResult { nextCursor?: string; charts: BarChart[] }
export interface ListChartTemplatesRequest { method: "charts/templates/list"; params?: Paged }
export interface ListChartTemplatesResult { nextCursor?: string; chartTemplates: ChartTemplate[] }
export interface WatchChartRequest { method: "charts/subscribe"; params: { id: string } }
export interface EmptyResult { }
export interface DrawChartRequest { method: "charts/draw"; params: { id: string } }
export interface DrawChartResult { image: string }
export interface ChartListChangedNotification { method: "notifications/charts/list_changed" }
export interface ListWordsRequest { method: "words/list"; params?: Paged }
export interface ListWordsResult { words: string[] }
export interface CompleteRequest { method: "complete"; params: { ref: ChartReference } }
export interface CompleteResult { values: string[] }
export interface ChartReference { type: "ref/bar chart"; id: string }
`;
const UNIONS = unions({
  ClientRequest:
    "ListChartsRequest | ListChartTemplatesRequest | WatchChartRequest | DrawChartRequest | ListWordsRequest | CompleteRequest",
  ServerResult:
    "ListChartsResult | ListChartTemplatesResult | EmptyResult | DrawChartResult | ListWordsResult | CompleteResult",
  ServerNotification: "ChartListChangedNotification",
});

describe("the families of methods", () => {
  it("are derived from the methods that list named items", () => {
    const { protocol } = linkText(`${CHARTS}${BASICS}${UNIONS}`);
    const changed = "notifications/charts/list_changed";
    const used = {
      use: "charts/draw",
      by: "id",
      result: "DrawChartResult",
      from: "client",
      changed,
    };
    expect(planFamilies(protocol!, new Shapes(protocol!.declarations))).toEqual([
      {
        ...used,
        name: "charts",
        noun: "bar chart",
        list: "charts/list",
        kind: "other",
        key: "id",
        subscribe: "charts/subscribe",
      },
      {
        ...used,
        name: "chartTemplates",
        noun: "chart template",
        list: "charts/templates/list",
        kind: "template",
        key: "pattern",
        templatesOf: "charts",
        reference: "ref/bar chart",
      },
    ]);
  });

  it.each([
    ["{ name: string }", "other"],
    ["{ name: string; arguments?: { [key: string]: unknown } }", "tool"],
    ["{ name: string; arguments?: { [key: string]: string } }", "prompt"],
    ["{ uri: string }", "resource"],
  ])("have a kind that follows from their parameters, as in %s", (params, kind) => {
    const jobs = `
export interface Job { name: string; uri: string }
export interface ListJobsRequest { method: "jobs/list" }
export interface ListJobsResult { jobs: Job[] }
export interface UseJobRequest { method: "jobs/use"; params: ${params} }
export interface UseJobResult { done: boolean }
`;
    const all = unions({
      ClientRequest: "ListJobsRequest | UseJobRequest",
      ServerResult: "ListJobsResult | UseJobResult",
    });
    const { protocol } = linkText(`${jobs}${BASICS}${all}`);
    const [family] = planFamilies(protocol!, new Shapes(protocol!.declarations));
    expect(family).toMatchObject({ name: "jobs", use: "jobs/use", kind });
  });
});
