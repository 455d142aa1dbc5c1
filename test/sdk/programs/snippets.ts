import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript-6";
import { filesOf } from "./workspace.js";

/** A TypeScript fence on a page. */
export interface Snippet {
  /** The page and the number of the fence, or the page and the region. */
  readonly name: string;
  /** The file that has the snippet, relative to the copied programs. */
  readonly file: string;
  /** The region of the file that makes up the snippet; undefined if it is the whole file. */
  readonly region?: string;
  readonly text: string;
}

const FENCE = /^( *)```(?:ts|typescript)\b([^\n]*)\n([\s\S]*?)^\1```/gm;

/**
 * Returns the snippets in the documentation of version 2 and in the packages' READMEs. Most are regions of programs in
 * `examples/`; each of the others is its own program.
 */
export function snippets(clone: string): Snippet[] {
  const pages = [
    "README.md",
    ...filesOf(join(clone, "docs")).map((file) => `docs/${file}`),
    ...filesOf(join(clone, "packages")).map((file) => `packages/${file}`),
  ]
    .filter((page) => /^docs\/.*\.md$|(^|\/)README\.md$/.test(page))
    .filter((page) => !/^docs\/(_meta|v1)\/|^packages\/codemod\//.test(page));
  // The compiler says nothing else about a program as long as one file cannot be parsed.
  return pages
    .flatMap(fencesOf)
    .filter(({ region, text }) => region !== undefined || isReadable(text));

  function fencesOf(page: string): Snippet[] {
    const text = readFileSync(join(clone, page), "utf8");
    return [...text.matchAll(FENCE)].map(([, indent, info, body], index): Snippet => {
      const [, file, region] = /source="[./]*(examples\/[^"#]+)#([^"]+)"/.exec(info!) ?? [];
      if (file && region) return { name: `${page}#${region}`, file, region, text: body! };
      const name = `${page}#${index + 1}`;
      const undented = body!.replaceAll(new RegExp(`^${indent}`, "gm"), "");
      return {
        name,
        file: `pages/${page.replaceAll(/[/.]/g, "-")}-${index + 1}.ts`,
        text: undented,
      };
    });
  }
}

/** Returns true for TypeScript without a syntax error. */
function isReadable(text: string): boolean {
  const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true });
  return diagnostics!.length === 0;
}
