import { type Code, escapeString, type ImportedSymbol } from "./code.js";

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

export function printModule(header: string, body: Code): string {
  const imports = new Imports();
  const text = print(body, imports);
  return [header, imports.toString(), text].filter((part) => part !== "").join("\n\n");
}

export class Imports {
  readonly #modules = new Map<string, Map<string, ImportedSymbol>>();

  /**
   * Adds a symbol.
   * @throws Error if the name is already imported from another module
   */
  add(symbol: ImportedSymbol): void {
    for (const [from, symbols] of this.#modules) {
      if (from !== symbol.from && symbols.has(symbol.name)) {
        throw new Error(`${symbol.name} is imported from ${from} and from ${symbol.from}.`);
      }
    }
    const symbols = this.#modules.get(symbol.from) ?? new Map<string, ImportedSymbol>();
    this.#modules.set(symbol.from, symbols);
    const known = symbols.get(symbol.name);
    if (known === undefined || known.kind === "type") symbols.set(symbol.name, symbol);
  }

  toString(): string {
    return [...this.#modules]
      .toSorted(([a], [b]) => order(sortKey(a), sortKey(b)))
      .map(([from, symbols]) => statements(from, [...symbols.values()]))
      .join("\n");
  }
}

function statements(from: string, symbols: readonly ImportedSymbol[]): string {
  const source = escapeString(from);
  const lines = symbols
    .filter(({ kind }) => kind === "namespace" || kind === "typeNamespace")
    .map(
      ({ name, kind }) =>
        `import ${kind === "namespace" ? "" : "type "}* as ${name} from ${source};`,
    );
  const named = symbols
    .filter(({ kind }) => kind === "value" || kind === "type")
    .toSorted((a, b) => order(a.name, b.name));
  if (named.length > 0) {
    const typesOnly = named.every(({ kind }) => kind === "type");
    const names = named.map(({ name, kind }) =>
      kind === "type" && !typesOnly ? `type ${name}` : name,
    );
    lines.push(`import ${typesOnly ? "type " : ""}{ ${names.join(", ")} } from ${source};`);
  }
  return lines.join("\n");
}

function sortKey(from: string): string {
  return from.startsWith(".") ? `1${from}` : `0${from}`;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
