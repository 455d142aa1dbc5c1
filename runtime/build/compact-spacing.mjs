/** Declarations without indentation, and comments with a line for each paragraph. Nothing else changes. */
export function compactSpacing(text) {
  return text.replace(/^ *\/\*\*[\s\S]*?\*\//gm, compactComment).replace(/^ +/gm, "");
}

function compactComment(comment) {
  const lines = comment
    .trim()
    .slice("/**".length, -"*/".length)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  const text = paragraphs(lines).join("\n").trim().replaceAll("\n", "\n * ");
  return `/** ${text} */`.replaceAll(/ +$/gm, "");
}

/** Joins lines of prose; tags, lists, tables and code keep theirs. */
function paragraphs(lines) {
  const result = [];
  let isCode = false;
  for (const [index, line] of lines.entries()) {
    const isFence = line.trimStart().startsWith("```");
    const startsAnew = isCode || isFence || /^$|^[-*+|>#@]|^\d+[.)] /.test(line.trimStart());
    const previous = lines[index - 1]?.trim() ?? "";
    if (startsAnew || previous === "" || previous.startsWith("```") || previous.startsWith("|")) {
      result.push(line);
    } else {
      result[result.length - 1] += ` ${line.trimStart()}`;
    }
    if (isFence) isCode = !isCode;
  }
  return result;
}
