import type { IncomingMessage } from 'node:http';

/** Leading groups of an IPv6 address, 64 bits, that identify one customer of an internet provider. */
const NETWORK_GROUPS = 4;

/**
 * The address that limits apply to: that of the connection, or the one that the outermost of `proxies` trusted proxies saw.
 * Entries of X-Forwarded-For that the client wrote stand before it and are ignored.
 */
export function addressOf({ headers, socket }: IncomingMessage, proxies: number): string {
  const direct = socket.remoteAddress ?? '';
  if (proxies === 0) return networkOf(direct);
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((entry) => entry.trim());
  return networkOf(withoutPort(forwarded.at(-proxies) || direct));
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
