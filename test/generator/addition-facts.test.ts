import { expect, it } from "vitest";
import { generate } from "../facade/extensions/support/generated.js";

/** Edits the jobs extension's facts by replacing each occurrence of one text with another. */
const facts = (from: string, to: string) => ({
  editFacts: (text: string) => {
    expect(text).toContain(from);
    return text.replaceAll(from, to);
  },
});

it.each([
  [
    "a result in place of that of an unknown request",
    facts('"tools/call"', '"tools/cull"'),
    "MCG3062 The fact is about the method `tools/cull` of the revision, which does not exist.",
  ],
  [
    "a result that is not a type of the extension",
    facts('"QueuedResult"', '"CueResult"'),
    "MCG3062 The fact is about the type CueResult, which does not exist.",
  ],
  [
    "a result without its own resultType",
    facts('"resultType": "queued"', '"resultType": "late"'),
    'MCG3072 QueuedResult does not declare `resultType: "late"`, which distinguishes it from other results.',
  ],
  [
    "a member of parameters that does not exist",
    facts('"member": "notifications"', '"member": "filters"'),
    "MCG3062 The fact is about the member `filters` of the parameters of subscriptions/listen, which does not exist.",
  ],
  [
    "a subscription by a member that is not added",
    facts('"member": "jobs"', '"member": "works"'),
    "MCG3062 The fact is about the member `works`, joined to a subscription, which does not exist.",
  ],
  [
    "a subscription to an unknown notification",
    facts('"notification": "notifications/jobs"', '"notification": "notifications/odd"'),
    "MCG3062 The fact is about the notification `notifications/odd`, which does not exist.",
  ],
  [
    "a subscription by a member that the notification lacks",
    facts('"key": "job"', '"key": "name"'),
    "MCG3062 The fact is about the member `name` of notifications/jobs, which does not exist.",
  ],
  [
    "a header for a parameter that does not exist",
    facts('"member": "job"', '"member": "name"'),
    "MCG3062 The parameters of jobs/get have no member `name`.",
  ],
])("facts of an extension about %s are refused", async (_what, options, problem) => {
  const { files, problems } = await generate("jobs", options);
  expect(files).toEqual([]);
  expect(problems).toContain(problem);
});

it("a result of an extension that no fact places is reported", async () => {
  const { problems } = await generate("jobs", {
    editFacts: (text) => {
      const { alternatives: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
      return JSON.stringify(rest);
    },
  });
  expect(problems).toEqual(["MCG3011 QueuedResult answers no request."]);
});

it("duplicate facts are refused", async () => {
  const { problems } = await generate("jobs", {
    editFacts: (text) => {
      const given = JSON.parse(text) as Record<string, unknown[]>;
      for (const list of ["alternatives", "joins", "topics"]) given[list]!.push(given[list]![0]);
      return JSON.stringify(given);
    },
  });
  expect(problems).toEqual([
    'MCG3069 There are two facts about results of tools/call of the type "queued".',
    "MCG3069 There are two facts about parameters of subscriptions/listen.",
    "MCG3069 There are two facts about subscriptions to notifications/jobs.",
  ]);
});
