import * as v20241105 from "@mcp-codegen/2024-11-05";
import * as v20250326 from "@mcp-codegen/2025-03-26";
import * as v20250618 from "@mcp-codegen/2025-06-18";
import * as v20251125 from "@mcp-codegen/2025-11-25";
import * as v20260728 from "@mcp-codegen/2026-07-28";
import { describe, expect, it } from "vitest";
import { formatIssues, hasFormats } from "../../runtime/wire/validation/content.js";
import { partsOf } from "./wrong-values.js";

const revisions = [v20241105, v20250326, v20250618, v20251125, v20260728].map(
  ({ revision }) => revision,
);

/** Returns the places in a revision's messages, with the formats that are tested there. */
function placesOf(parts: ReturnType<typeof partsOf>): string[] {
  return parts.flatMap(({ row, part, wrong }) =>
    wrong.map(({ path, format }) => `${row.method} ${part} ${path} ${format}`),
  );
}

describe.each(revisions.map((one) => [one.id, partsOf(one)] as const))(
  "content of %s",
  (id, parts) => {
    it("is checked in each part of a message that may be invalid", () => {
      for (const { row, part, validator, right, wrong } of parts) {
        const what = `${row.method} ${part}`;
        expect(validator(right), what).toBe(true);
        expect(hasFormats(validator, right), what).toBe(true);
        for (const { path, value } of wrong) {
          const found = formatIssues(validator, value).map((issue) => issue.path);
          expect(validator(value), `${what} ${path}`).toBe(true);
          expect(hasFormats(validator, value), `${what} ${path}`).toBe(false);
          expect(found, what).toEqual([path]);
        }
      }
    });

    it("has formats at the places that matter", () => {
      const places = placesOf(parts);
      const expected = [
        "resources/list result /resources/0/uri uri",
        "resources/list result /resources/0/mimeType media-type",
        "resources/templates/list result /resourceTemplates/0/uriTemplate uri-template",
        "resources/read result /contents/0/blob byte",
        "resources/read result /contents/0 exactly-one:text,blob",
        "tools/call result /content/0/data byte",
        "tools/call result /content/0/mimeType media-type",
        "tools/call result /content/0/resource exactly-one:text,blob",
        "prompts/get result /messages/0/content/data byte",
        "sampling/createMessage params /messages/0/content/data byte",
        "sampling/createMessage result /content/data byte",
        "roots/list result /roots/0/uri file-uri",
        "notifications/resources/updated params /uri uri",
        ...(id >= "2025-06-18" ? ["tools/call result /_meta/bad key! meta"] : []),
        ...(id >= "2025-06-18" ? ["tools/call result /content/0/uri uri"] : []),
        ...(id >= "2025-11-25" ? ["elicitation/create params /url web-url"] : []),
        ...(id >= "2025-11-25" ? ["tools/list result /tools/0/icons/0/src icon"] : []),
        ...(id >= "2026-07-28" ? ["tools/call result /_meta/traceparent trace"] : []),
        ...(id >= "2026-07-28"
          ? ["tools/call inputResult /inputRequests/any/params/url web-url"]
          : []),
      ];
      expect(expected.filter((place) => !places.includes(place))).toEqual([]);
      expect(places.some((place) => place.endsWith(" meta"))).toBe(id >= "2025-06-18");
    });
  },
);
