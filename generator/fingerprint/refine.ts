import { sha256 } from "./sha256.js";
import type { WireNode } from "./wire-graph.js";

/**
 * The maximum number of rounds after the partition has become stable. These rounds tell apart nodes of different graphs
 * whose only differences are many edges away.
 */
const MAX_FURTHER_ROUNDS = 64;

/**
 * Hashes each node of a graph based on the nodes that can be reached from it. If two nodes have equal hashes, they
 * cannot be distinguished by following edges. The graph may have cycles.
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
 * Combines a node's label with the hashes of the nodes to which its edges lead. Neither order nor duplicate edges
 * matter, just as for the alternatives of a union.
 */
function combine({ label, edges }: WireNode, hashes: readonly string[]): string {
  const texts = new Set(edges.map((edge) => `${edge.label}>${hashes[edge.to]}`));
  return sha256(`${label}\0${[...texts].toSorted().join("\0")}`);
}
