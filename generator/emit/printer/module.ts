import type { Code } from "./code.js";
import { Imports } from "./imports.js";

/** Text of a piece of code; the symbols that it uses are added to `imports`. */
export function print(code: Code, imports: Imports): string {
  let text = "";
  for (const part of code.parts) {
    if (typeof part === "string") text += part;
    else {
      imports.add(part);
      text += part.name;
    }
  }
  return text;
}

/** Text of a whole module: header, the imports that the body needs, body. */
export function printModule(header: string, body: Code): string {
  const imports = new Imports();
  const text = print(body, imports);
  return [header, imports.toString(), text].filter((part) => part !== "").join("\n\n");
}
