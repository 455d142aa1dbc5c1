/** A minified module that does nothing but pass on what others export, without the names that it has for that itself. */
export function compactReexports(text) {
  const imports = [...text.matchAll(IMPORT)];
  const exported = EXPORT.exec(text.replace(IMPORT, ""))?.[1].split(",");
  const imported = imports.flatMap(([, items]) => items.split(","));
  if (exported === undefined || imported.length === 0) return text;
  const names = new Map(exported.map((item) => [nameIn(item, 0), nameIn(item, -1)]));
  const isPassedOnOnce = names.size === exported.length && names.size === imported.length;
  if (!isPassedOnOnce) return text;

  const lists = imports.map(([, items, from]) => {
    const passedOn = items.split(",").map((item) => rename(item, names));
    return `export{${passedOn.join(",")}}from"${from}";`;
  });
  return `${lists.join("")}\n`;
}

function rename(item, names) {
  const [original, given] = [nameIn(item, 0), names.get(nameIn(item, -1))];
  return original === given ? given : `${original} as ${given}`;
}

/** Of `a as b`, the name before `as` or the one after; both are the same where there is one only. */
function nameIn(item, position) {
  return item.split(" as ").at(position);
}

const IMPORT = /import\{([^}]*)\}from"([^"]*)";/g;

/** Of what is left when there are no imports any more. */
const EXPORT = /^export\{([^}]*)\};\s*$/;
