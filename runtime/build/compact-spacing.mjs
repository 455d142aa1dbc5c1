/**
 * Declarations without indentation, without semicolons that end a line, and with comments that have a line for each
 * paragraph. What they say stays the same, to compilers and to editors.
 */
export function compactSpacing(text) {
  return text
    .split(COMMENT)
    .map((part, index) => (index % 2 === 1 ? compactComment(part) : compactCode(part)))
    .join("");
}

/** A line that could go on with what the next one starts with keeps its semicolon. */
function compactCode(code) {
  return code
    .replace(/^ +/gm, "")
    .replace(/;$(?!\n[(<`])/gm, "")
    .replace(STRING_OR_SPACE, (found) => (/^["'`]/.test(found) ? found : found.trim()));
}

function compactComment(comment) {
  const lines = comment
    .trim()
    .slice("/**".length, -"*/".length)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  const text = paragraphs(lines)
    .join("\n")
    .trim()
    .replaceAll(/\n+(?=\n@)/g, "");
  const needsMargin = /^[ *]/m.test(text);
  return `/**${needsMargin ? ` ${text.replaceAll("\n", "\n* ")}`.replaceAll(/ +$/gm, "") : text.replace(/^\//, " /")}*/`;
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

/** Space after a colon and before a brace that ends a line, where that is not inside of a string. */
const STRING_OR_SPACE = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|: | \{$/gm;

const COMMENT = /^ *(\/\*\*[\s\S]*?\*\/)/m;
