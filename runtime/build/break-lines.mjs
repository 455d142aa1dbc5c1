import { parseAst } from "rolldown/parseAst";

/** Characters after which a line ends as soon as it can. */
const WIDTH = 300;

/**
 * Breaks a minified module into lines, between statements and between members of classes: Node prints the whole line
 * that an error nobody has caught comes from.
 */
export function breakLines(code) {
  let text = "";
  let last = 0;
  for (const start of startsIn(parseAst(code)).toSorted((one, other) => one - other)) {
    if (start - Math.max(last, code.lastIndexOf("\n", start - 1)) < WIDTH) continue;
    text += `${code.slice(last, start)}\n`;
    last = start;
  }
  return text + code.slice(last);
}

/** Where something starts that a new line can stand before. */
function startsIn(node, found = []) {
  if (Array.isArray(node)) {
    for (const one of node) startsIn(one, found);
  } else if (typeof node?.type === "string") {
    if (["Program", "BlockStatement", "StaticBlock", "ClassBody"].includes(node.type)) {
      found.push(...node.body.map(({ start }) => start));
    }
    for (const value of Object.values(node)) {
      if (typeof value === "object" && value !== null) startsIn(value, found);
    }
  }
  return found;
}
