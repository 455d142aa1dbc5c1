/**
 * Bundled declarations in which what is exported says so itself, in place of a list at the end: what is declared here by
 * the word `export`, what comes from another module by `export … from`.
 *
 * @param namesIn - gives the names that a module exports, by its path relative to this one; undefined for one outside
 */
export function compactExports(text, namesIn) {
  const imports = importsOf(text);
  const body = text.replace(EXPORT_LIST, "").replace(IMPORT, "").trim();
  const items = exportedNames(text);
  const passedOn = items.filter((item) => imports.has(item.replace("type ", "")));
  const own = items.filter((item) => !passedOn.includes(item) && declarationOf(item).test(body));
  const others = items.filter((item) => !passedOn.includes(item) && !own.includes(item));

  const declarations = own.reduce(
    (result, item) => result.replaceAll(declarationOf(item), "export $1"),
    body,
  );
  // Two stars that stand for one name would stand for nothing.
  const hasStar = /^export \* from /m.test(body);
  const all = (some, from) =>
    !hasStar && namesIn(from)?.every((name) => some.includes(name)) ? "*" : undefined;
  const remaining = `${declarations}\n${others.join()}`;
  const used = [...imports.keys()].filter((name) => mentions(remaining, name));
  const needed = byModule(used, (name) => imports.get(name).from);
  const given = byModule(passedOn, (item) => imports.get(item.replace("type ", "")).from);
  return [
    ...needed.map(
      ([from, names]) =>
        `import ${list(names.map((name) => imports.get(name).item))} from "${from}";`,
    ),
    ...given.map(([from, some]) => `export ${all(some, from) ?? list(some)} from "${from}";`),
    ...(declarations === "" ? [] : [declarations]),
    // Without any list, everything that is declared in the file counts as exported.
    ...(given.length > 0 && others.length === 0 ? [] : [`export ${list(others)};`]),
  ]
    .join("\n")
    .concat("\n");
}

/** What stands in the list of exports. */
export function exportedNames(text) {
  return EXPORT_LIST.exec(text)?.[1].split(", ") ?? [];
}

/** Imports as they are written, by local name. */
function importsOf(text) {
  const found = [...text.matchAll(IMPORT)].flatMap(([, items, from]) =>
    items.split(", ").map((item) => [item.split(" ").at(-1), { item, from }]),
  );
  return new Map(found);
}

/** Where a name is declared, possibly several times. */
function declarationOf(item) {
  const name = item.replace("type ", "").replaceAll("$", "\\$");
  const kinds = "(?:abstract )?(?:class|interface|type|function|const)";
  return new RegExp(`^(?:declare )?(${kinds} ${name}(?![\\w$]))`, "gm");
}

function mentions(text, name) {
  return new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(text);
}

function byModule(names, moduleOf) {
  const modules = new Map(names.map((name) => [moduleOf(name), []]));
  for (const name of names) modules.get(moduleOf(name)).push(name);
  return [...modules];
}

function list(items) {
  return `{ ${items.join(", ")} }`;
}

const EXPORT_LIST = /^export \{ (.*) \};$/m;
const IMPORT = /^import \{ (.*) \} from "(.*)";\n/gm;
