import ipaddr from 'ipaddr.js';
import { list } from '@parley/kit/runtime/config/env';

/** A network, e.g. 127.0.0.0/8. */
export type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** A comma separated list of networks. */
export const parseRanges = list<AddressRange>('a network such as 10.0.0.0/8', (text) =>
  ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined,
);

/** A comma separated list of ports. */
export const parsePorts = list<number>('a port', (text) => {
  const port = Number(text);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
});
