import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/pack.js";
import { pages } from "./pages.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const linesOf = (path: string): number => read(path).trimEnd().split("\n").length;

describe("the documentation", () => {
  it("begins with a README of at most 120 lines", () => {
    expect(linesOf("README.md")).toBeLessThanOrEqual(120);
  });

  it.each(pages)("keeps %s short", (page) => {
    expect(linesOf(page)).toBeLessThanOrEqual(150);
  });

  it("lists every page in its table of contents", () => {
    const linked = [...read("runtime/docs/README.md").matchAll(/^- \[.*?\]\(([\w-]+\.md)\)/gm)];
    const others = pages.map((page) => basename(page)).filter((name) => name !== "README.md");
    expect(linked.map(([, name]) => name).toSorted()).toEqual(others.toSorted());
  });

  it.each(["CONTRIBUTING.md", "AGENTS.md", "CHANGELOG.md", ...pages])(
    "names files and folders that exist in %s",
    (page) => {
      const paths = read(page).matchAll(
        /`\/?((?:runtime|generator|test|templates|schema)\/[\w./-]+)`/g,
      );
      const missing = [...paths]
        .map(([, path = ""]) => path)
        .filter((path) => !existsSync(join(root, path)));
      expect(missing).toEqual([]);
    },
  );

  it.each(pages)("has no private codes, no old words and no dates as switches in %s", (page) => {
    expect(read(page)).not.toMatch(/\(X\d+/);
    expect(read(page)).not.toMatch(/\bshaken\b|\bstandalone\b|stands? alone|without a handshake/i);
    expect(read(page)).not.toMatch(/revision(\.id)? [<>]=? "\d{4}/);
  });
});
