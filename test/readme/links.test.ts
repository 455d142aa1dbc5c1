import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageFolders, root } from "../support/pack.js";
import { pages } from "./pages.js";

const texts = [
  ...packageFolders().map((folder) => join(folder, "README.md")),
  "AGENTS.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "test/bench/README.md",
  "test/conformance/README.md",
  "test/interop/README.md",
  ...pages,
];
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Returns the anchors of headings, in GitHub's form. */
function anchorsOf(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

describe.each(texts)("%s", (path) => {
  it("has links to existing targets", () => {
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)]*)\)/g)].map(([, to = ""]) => to);
    const broken = links.filter((link) => {
      const [file = "", anchor] = link.split("#");
      const target = file.startsWith("/") ? file.slice(1) : join(dirname(path), file);
      const there = file === "" ? path : target;
      if (!existsSync(join(root, there))) return true;
      return anchor !== undefined && !anchorsOf(read(there)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});
