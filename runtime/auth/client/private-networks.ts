import type * as dns from "node:dns/promises";
import type * as net from "node:net";
import { addressIn, isLoopback } from "../addresses.js";

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

/**
 * Address ranges without public servers (IANA special-purpose addresses): private, loopback, link-local (where clouds
 * keep secrets), shared, documentation and multicast. For IPv6, only 2000::/3 is public, except the ranges that contain
 * an IPv4 address (6to4, Teredo).
 */
const RANGES: readonly (readonly [string, number, "ipv4" | "ipv6"])[] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.0.2.0", 24, "ipv4"],
  ["192.88.99.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["198.51.100.0", 24, "ipv4"],
  ["203.0.113.0", 24, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  ["::", 3, "ipv6"],
  ["2001::", 23, "ipv6"],
  ["2001:db8::", 32, "ipv6"],
  ["2002::", 16, "ipv6"],
  ["3fff::", 20, "ipv6"],
  ["4000::", 2, "ipv6"],
  ["8000::", 1, "ipv6"],
];

/** Block lists, one per address family. A single list would also match IPv4 addresses against the IPv6 ranges. */
let blockLists: Readonly<Record<"ipv4" | "ipv6", net.BlockList>> | undefined;

function isPrivateAddress(address: string, { net: { BlockList, isIPv6 } }: NodeNetwork): boolean {
  if (blockLists === undefined) {
    blockLists = { ipv4: new BlockList(), ipv6: new BlockList() };
    for (const [start, bits, family] of RANGES) blockLists[family].addSubnet(start, bits, family);
  }
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  return blockLists[family].check(address, family);
}

/**
 * Returns true if the host is not on the public network, judging by its name or address. Outside Node, all addresses
 * count as private, because they cannot be checked.
 */
export function isPrivateHost(url: URL): boolean {
  if (isLoopback(url.hostname)) return true;
  const address = addressIn(url.hostname);
  if (address === undefined)
    return !url.hostname.includes(".") || /\.(?:local|internal)\.?$/.test(url.hostname);
  const network = node();
  return network === undefined || isPrivateAddress(address, network);
}

/**
 * Returns true if the name currently resolves to a private address. A name that cannot be resolved counts as public, as
 * does every name outside Node.
 */
export async function resolvesToPrivate({ hostname }: URL): Promise<boolean> {
  const network = node();
  if (network === undefined || addressIn(hostname) !== undefined) return false;
  const found = await network.dns.lookup(hostname, { all: true }).catch(() => []);
  return found.some(({ address }) => isPrivateAddress(address, network));
}
