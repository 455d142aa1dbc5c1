const begin = "<!-- bench -->";
const end = "<!-- /bench -->";

/**
 * Replaces what stands between the markers.
 * @throws where the markers are not there, each once and in order
 */
export function betweenMarkers(text: string, content: string): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  const isUnique = from === text.lastIndexOf(begin) && to === text.lastIndexOf(end);
  if (from < 0 || to < from || !isUnique) {
    throw new Error(`README.md needs one ${begin} and, behind it, one ${end}`);
  }
  return `${text.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${text.slice(to)}`;
}
