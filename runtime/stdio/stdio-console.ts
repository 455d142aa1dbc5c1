/** The methods of `console` that write to standard output. */
const TO_STDOUT = [
  "log",
  "info",
  "debug",
  "dir",
  "dirxml",
  "table",
  "group",
  "groupCollapsed",
  "count",
  "timeEnd",
  "timeLog",
] as const;

/**
 * Sends to standard error what `console` would write to standard output, which belongs to the protocol
 * alone (MCP: stdio). Returns how to undo it. Names no module of Node, so that bundles for other places can have it.
 */
export function redirectConsole(): () => void {
  const { Console } = console as Partial<typeof console>;
  const redirected = Console && new Console(process.stderr, process.stderr);
  const originals = TO_STDOUT.map((name) => [name, console[name]] as const);
  for (const name of TO_STDOUT)
    console[name] = redirected?.[name].bind(redirected) ?? console.error;
  return () => {
    for (const [name, original] of originals) console[name] = original;
  };
}
