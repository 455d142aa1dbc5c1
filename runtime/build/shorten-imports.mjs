/**
 * Generated declarations in which the two imports that they mention most have one letter. Editors show what those stand
 * for; what comments link to keeps its name.
 */
export function shortenImports(text) {
  const linked = [...new Set([...text.matchAll(LINK)].map(([, name]) => name))];
  const names =
    linked.length === 0 ? "" : `import type { ${linked.join(", ")} } from "./types.js";\n`;
  return text
    .replace(/^import type \* as types /m, `${names}import type * as t `)
    .replaceAll(LINK, "{@link $1}")
    .replaceAll(/\btypes\.(?=[A-Z])/g, "t.")
    .replace(/^(import \{.*\btype Validator\b)/m, "$1 as V")
    .replaceAll(/\bValidator</g, "V<");
}

const LINK = /\{@link types\.(\w+)\}/g;
