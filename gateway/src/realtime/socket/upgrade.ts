import type { IncomingMessage } from 'node:http';
import type { Wire } from '@parley/domain/wire';
import { parseTokenList } from '@parley/kit/http/header-list';
import { splitTarget, withoutSlash } from '@parley/kit/http/target';

/** Requested subprotocol and token of an upgrade. */
export type Offer = {
  path: string;
  /** The offered subprotocol that the socket speaks; undefined: there is none. */
  subprotocol: string | undefined;
  /** Whether the socket speaks an extended subprotocol: the one with full packets, or the lean one. */
  isExtended: boolean;
  isLean: boolean;
  /** The session token among the subprotocols or in the query; null: neither has one. */
  token: string | null;
};

/**
 * Reads an upgrade. Newer subprotocols take precedence over older ones, and a token among the subprotocols over one in the query; only
 * clients that offer an extended subprotocol can send it there.
 */
export function offerOf(wire: Wire, { url, headers }: IncomingMessage): Offer {
  const { path, query } = splitTarget(url ?? '/');
  const offered = parseTokenList(headers['sec-websocket-protocol'] ?? '');
  const subprotocol = chooseSubprotocol(wire, offered);
  const isLean = subprotocol === wire.leanSubprotocol;
  const isExtended = isLean || subprotocol === wire.extendedSubprotocol;
  const prefix = wire.tokenSubprotocolPrefix;
  const given = isExtended ? offered.find((name) => name.startsWith(prefix)) : undefined;
  const token = given?.slice(prefix.length) ?? new URLSearchParams(query).get('session_token');
  return { path, subprotocol, isExtended, isLean, token };
}

/** The subprotocol of a socket, chosen from its client's offer. */
export function chooseSubprotocol(wire: Wire, offered: Iterable<string>): string | undefined {
  const names = new Set(offered);
  return [wire.leanSubprotocol, wire.extendedSubprotocol, wire.subprotocol].find((name) => names.has(name));
}

/** Whether a path serves sockets: `/`, `/websocket`, or `/websocket/` and the user's shard, with or without a trailing slash. */
export function isSocketPath(path: string): boolean {
  return path === '/' || /^\/websocket(\/\d+)?$/.test(withoutSlash(path));
}
