import ipaddr from 'ipaddr.js';
import type { AddressRange } from './settings.ts';

export type AddressRules = {
  allowedRanges: readonly AddressRange[];
  allowedPorts: readonly number[];
  allowHttp: boolean;
};

/** Routed like a public address, but answered by the machine's host: Azure's platform service. */
const METADATA_ADDRESSES = new Set(['168.63.129.16']);

/** The IPv6 addresses that are routed worldwide; all others are special or unassigned. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Why a connection to an address is refused; undefined when it is allowed. A v4-mapped IPv6 address counts as the IPv4 address
 * in it; one that a gateway would translate (NAT64, 6to4, Teredo) is refused.
 */
export function refusalOf(rules: AddressRules, address: string, port: number): string | undefined {
  if (!ipaddr.isValid(address)) return 'it is no address';
  const parsed = ipaddr.process(address);
  if (rules.allowedRanges.some((range) => isWithin(parsed, range))) return undefined;
  if (!isPublic(parsed)) return 'it is not a public address';
  return isPort(rules, port) ? undefined : `port ${port} is not allowed`;
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST as [ipaddr.IPv6, number]);
  return !METADATA_ADDRESSES.has(address.toString());
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: AddressRange): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function isPort({ allowedPorts, allowHttp }: AddressRules, port: number): boolean {
  return port === 443 || (allowHttp && port === 80) || allowedPorts.includes(port);
}
