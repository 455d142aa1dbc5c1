/** Remedies for modules and names in the official SDK that have no counterpart. */
const REMEDIES: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [
    /websocket/i,
    "No specification defines this transport; use Streamable HTTP, or a Transport of your own.",
  ],
  [
    /experimental\/tasks/,
    "Import from @mcp-codegen/sdk/experimental/tasks/index.js, which has tools with tasks, their stores, and requests of clients.",
  ],
  [
    /server\/auth\/(?:router|handlers|providers|provider|clients)|mcpAuthRouter|ProxyOAuth/,
    "Issue tokens from a separate authorization server, and check them with requireBearerAuth.",
  ],
  [
    /zod-(?:json-schema-)?compat/,
    "Any Standard Schema is accepted as it is: remove the conversion.",
  ],
];

export function hintFor(text: string): string | undefined {
  return REMEDIES.find(([pattern]) => pattern.test(text))?.[1];
}
