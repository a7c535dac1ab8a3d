import type { IncomingMessage } from 'node:http';

/** Leading groups of an IPv6 address, 64 bits, that identify one customer of an internet provider. */
const NETWORK_GROUPS = 4;
/** Characters of an address with its port, and more: buckets are kept by it, and where proxies are not counted right, clients write it. */
const MAX_ENTRY = 64;

/**
 * The address that limits apply to: that of the connection, or the one that the outermost of `proxies` trusted proxies saw.
 * Entries of X-Forwarded-For that the client wrote stand before it and are ignored.
 */
export function addressOf({ headers, socket }: IncomingMessage, proxies: number): string {
  const direct = socket.remoteAddress ?? '';
  if (proxies === 0) return networkOf(direct);
  const forwarded = entryFromEnd(headers['x-forwarded-for'] ?? '', proxies);
  return networkOf(withoutPort(forwarded || direct));
}

/** The entry at a place of a list, counted from its end; undefined where the list is shorter. Looks no further than that. */
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

/** The network of an IPv6 address: its owner has 2^64 addresses. An IPv4 address stands for itself. */
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
