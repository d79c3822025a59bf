import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Ranges that are no part of the public internet, from the special-purpose registries of IANA (RFC 6890 and its updates): this host, private
 * networks, carriers' networks, link-local with the metadata services of clouds, documentation, benchmarking, multicast, reserved.
 */
const NOT_PUBLIC_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
const NOT_PUBLIC_6 = [
  ...['::/128', '::1/128', '100::/64', '2001::/23', '2001:db8::/32', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10'],
  ...['fec0::/10', 'ff00::/8'],
];
/** These carry an IPv4 address, which decides. */
const MAPPED = /^(?:::ffff:|64:ff9b::|::)(\d+\.\d+\.\d+\.\d+)$/iu;
const CARRYING_4 = ['::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '::/96'];

/** Whether an address belongs to the public internet. What is no address at all does not. Pure. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/u, '');
  if (isIPv4(plain)) return !listOf(NOT_PUBLIC_4, 'ipv4').check(plain, 'ipv4');
  if (!isIPv6(plain)) return false;
  const carried = MAPPED.exec(plain)?.[1];
  if (carried !== undefined) return isPublicAddress(carried);
  return !listOf([...NOT_PUBLIC_6, ...CARRYING_4], 'ipv6').check(plain, 'ipv6');
}

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
