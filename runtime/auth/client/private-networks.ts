import type * as dns from "node:dns/promises";
import type * as net from "node:net";

/** Parts of Node that this needs, where it runs on Node. */
interface NodeNetwork {
  readonly net: typeof net;
  readonly dns: typeof dns;
}

function node(): NodeNetwork | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const load = process?.getBuiltinModule;
  if (load === undefined) return undefined;
  const found = { net: load("node:net"), dns: load("node:dns/promises") };
  return found.net && found.dns ? (found as NodeNetwork) : undefined;
}

/** Ranges that no public server lives in: private, loopback, link-local (clouds keep secrets there), shared, multicast. */
const RANGES: readonly (readonly [string, number, "ipv4" | "ipv6"])[] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  ["::", 127, "ipv6"],
  ["64:ff9b::", 96, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["ff00::", 8, "ipv6"],
];

let blockList: net.BlockList | undefined;

function isPrivateAddress(address: string, network: NodeNetwork): boolean {
  if (blockList === undefined) {
    blockList = new network.net.BlockList();
    for (const [start, bits, family] of RANGES) blockList.addSubnet(start, bits, family);
  }
  return blockList.check(address, network.net.isIPv6(address) ? "ipv6" : "ipv4");
}

/** Address in a URL, which writes it in one way only; undefined for a name. */
function addressIn(hostname: string): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}

export function isLoopback({ hostname }: URL): boolean {
  const name = hostname.replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]") return true;
  return addressIn(name)?.startsWith("127.") ?? false;
}

/** True for a place that the public network does not lead to, as far as its name says. Off Node, addresses count as such. */
export function isPrivateHost(url: URL): boolean {
  if (isLoopback(url)) return true;
  const address = addressIn(url.hostname);
  if (address === undefined)
    return !url.hostname.includes(".") || /\.(?:local|internal)\.?$/.test(url.hostname);
  const network = node();
  return network === undefined || isPrivateAddress(address, network);
}

/** True when the name leads into a private network now. The answer may be another one a moment later. */
export async function resolvesToPrivate({ hostname }: URL): Promise<boolean> {
  const network = node();
  if (network === undefined || addressIn(hostname) !== undefined) return false;
  const found = await network.dns.lookup(hostname, { all: true }).catch(() => []);
  return found.some(({ address }) => isPrivateAddress(address, network));
}
