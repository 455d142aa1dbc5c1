import { sha256 } from "./sha256.js";
import type { WireNode } from "./wire-graph.js";

/**
 * Maximum number of rounds after the partition has become stable. These rounds distinguish nodes of different graphs
 * that differ only many edges away.
 */
const MAX_FURTHER_ROUNDS = 64;

/**
 * Hashes the nodes of a graph by the nodes that can be reached from them. Equal hashes mean that two nodes cannot be
 * distinguished by following edges. The graph may have cycles.
 */
export function refine(nodes: readonly WireNode[]): readonly string[] {
  let hashes = nodes.map(({ label }) => sha256(label));
  let classes = new Set(hashes).size;
  let changed = nodes.map(() => true);
  const round = () => {
    const next = nodes.map((node, index) => {
      const isStale = changed[index] || node.edges.some(({ to }) => changed[to]);
      return isStale ? combine(node, hashes) : hashes[index]!;
    });
    changed = next.map((hash, index) => hash !== hashes[index]);
    hashes = next;
    return new Set(hashes).size;
  };
  for (let found = round(); found !== classes; found = round()) classes = found;
  for (let further = Math.min(classes, MAX_FURTHER_ROUNDS); further > 0; further--) round();
  return hashes;
}

/**
 * Combines a node's label with the hashes of the nodes that its edges lead to. The order and the number of equal
 * edges do not matter, as for the alternatives of a union.
 */
function combine({ label, edges }: WireNode, hashes: readonly string[]): string {
  const texts = new Set(edges.map((edge) => `${edge.label}>${hashes[edge.to]}`));
  return sha256(`${label}\0${[...texts].toSorted().join("\0")}`);
}
