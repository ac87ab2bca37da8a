import { BlockList, isIP } from 'node:net';
import { ReasonError } from '../domain/errors.ts';
import type { Bilingual } from '../domain/language.ts';
import { lazily } from '../domain/value/word-list.ts';
import type { Reach } from './connections.ts';

/** Of IPv4: this host, private, shared, loopback, link-local, documentation, benchmarks, multicast, reserved. */
const NOT_PUBLIC_4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
/** Of what IPv6 has given out: tunnels, which hold an IPv4 address of anybody, and documentation. */
const NOT_PUBLIC_6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';
/** All else of IPv6 is loopback, local, mapped, NAT64 or not given out. */
const GIVEN_6 = '2000::/3';

/** Made when an address is first looked at: Node loads what they need for it. */
const lists = lazily(() => ({ blocked4: listOf(NOT_PUBLIC_4), blocked6: listOf(NOT_PUBLIC_6), given6: listOf(GIVEN_6) }));

function listOf(networks: string): BlockList {
  const list = new BlockList();
  for (const [net = '', prefix] of networks.split(/\s+/).map((each) => each.split('/')))
    list.addSubnet(net, Number(prefix), net.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}

/** True for an address of the public internet, false for all others and for what is no address. */
export function isPublicAddress(address: string): boolean {
  const { blocked4, blocked6, given6 } = lists();
  if (isIP(address) === 4) return !blocked4.check(address, 'ipv4');
  return isIP(address) === 6 && !address.includes('%') && given6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6');
}

export type Resolve = (host: string) => Promise<readonly string[]>;

/** All addresses of a name, in the system's order. */
export const resolveName: Resolve = async (host) => {
  const { lookup } = await import('node:dns/promises');
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
};

/**
 * Reaches the addresses of a host where all of them may be reached. Each connection asks anew and goes to what was judged, so that a name
 * that leads elsewhere the next time changes nothing. Throws what `refusal` says.
 */
export const checkedReach =
  (resolve: Resolve, refusal: (host: string, addresses: readonly string[]) => Bilingual | undefined): Reach =>
  async (host, port) => {
    const addresses = isIP(host) === 0 ? await resolve(host) : [host];
    const why = refusal(host, addresses);
    if (why !== undefined) throw new ReasonError(why);
    return { addresses, port };
  };
