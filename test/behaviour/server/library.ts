import type { Kit } from "./kit.js";

const CITIES: Readonly<Record<string, readonly string[]>> = {
  fr: ["Paris", "Pau"],
  it: ["Palermo", "Parma"],
};

/** Adds resources, templates and prompts, with completions. */
export function addLibrary(kit: Kit): void {
  const { resources, prompts } = kit;
  for (let index = 1; index <= 7; index += 1) {
    const uri = `note://${index}`;
    resources.add({ uri, name: `note ${index}`, mimeType: "text/plain" }, () => ({
      contents: [{ uri, mimeType: "text/plain", text: "remember" }],
    }));
  }
  resources.add({ uri: "blob://1", name: "blob", size: 2 }, (uri) => ({
    contents: [{ uri, mimeType: "image/png", blob: "aGk=" }],
  }));
  resources.addTemplate(
    { uriTemplate: "item://{shelf}/{id}", name: "item" },
    (uri, { values }) => {
      const found = values["shelf"] !== "none";
      return found ? { contents: [{ uri, text: JSON.stringify(values) }] } : undefined;
    },
    { complete: { shelf: (value) => shelves().filter((shelf) => shelf.startsWith(value)) } },
  );
  const name = { name: "name", required: true };
  prompts.add(
    { name: "greet", arguments: [name, { name: "city" }] },
    ({ name: who }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Hello ${who}` } }],
    }),
    {
      complete: {
        name: (value) => ["Ada", "Adele", "Bob"].filter((one) => one.startsWith(value)),
        city: (value, { arguments: given }) => {
          const cities = CITIES[given?.["country"] ?? "it"] ?? [];
          return cities.filter((one) => one.startsWith(value));
        },
      },
    },
  );
  for (const extra of ["b", "c", "d", "e"]) {
    prompts.add({ name: extra }, () => ({ messages: [] }));
  }
}

function shelves(): string[] {
  return Array.from({ length: 150 }, (_, index) => `shelf${index}`);
}
