import type { IncomingMessage } from 'node:http';

/** Number of leading groups of an IPv6 address (64 bits) that identify one customer of an internet provider. */
const NETWORK_GROUPS = 4;
/**
 * More characters than an address with its port has: entries are keys of buckets, and clients write them if the number of proxies is
 * misconfigured.
 */
const MAX_ENTRY = 64;

/**
 * The address to which limits apply: the connection's, or the one that the outermost of `proxies` trusted proxies saw. Earlier entries of
 * X-Forwarded-For are written by the client and ignored.
 */
export function addressOf({ headers, socket }: IncomingMessage, proxies: number): string {
  const direct = socket.remoteAddress ?? '';
  if (proxies === 0) return networkOf(direct);
  const forwarded = entryFromEnd(headers['x-forwarded-for'] ?? '', proxies);
  return networkOf(withoutPort(forwarded || direct));
}

/** The entry at a place of a list, counted from its end; undefined where the list is shorter. Reads no further than that entry. */
export function entryFromEnd(list: string | readonly string[], place: number): string | undefined {
  const text = String(list);
  let end = text.length;
  for (let left = place; left > 0; left -= 1) {
    const comma = end === 0 ? -1 : text.lastIndexOf(',', end - 1);
    if (left === 1)
      return text
        .slice(comma + 1, end)
        .trim()
        .slice(0, MAX_ENTRY);
    if (comma < 0) return undefined;
    end = comma;
  }
  return undefined;
}

/** Some proxies append the port of the connection: `192.0.2.1:4711`, `[2001:db8::6]:4711`. */
function withoutPort(address: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}

/** The network of an IPv6 address, whose owner has 2^64 addresses. An IPv4 address is returned unchanged. */
function networkOf(address: string): string {
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length;
  const whole = [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after];
  return whole.slice(0, NETWORK_GROUPS).join(':');
}
