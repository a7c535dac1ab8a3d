import type { IncomingMessage } from 'node:http';
import type { Wire } from '@parley/domain/wire';
import { parseTokenList } from '@parley/kit/http/header-list';
import { splitTarget, withoutSlash } from '@parley/kit/http/target';

/** Parts of an upgrade that say what it asks for. */
export type Offer = {
  path: string;
  /** The offered subprotocol that the socket speaks; undefined: there is none. */
  subprotocol: string | undefined;
  /** Whether the socket speaks an extended subprotocol: that of the same packets, or the lean one. */
  isExtended: boolean;
  isLean: boolean;
  /** The session token among the subprotocols or in the query; null: neither has one. */
  token: string | null;
};

/**
 * Reads an upgrade. The newest subprotocol goes before older ones, and the token among the subprotocols before that
 * of the query; only clients that offer an extended one can send it so.
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

/** The subprotocol for a socket, among those that its client offers. */
export function chooseSubprotocol(wire: Wire, offered: Iterable<string>): string | undefined {
  const names = new Set(offered);
  return [wire.leanSubprotocol, wire.extendedSubprotocol, wire.subprotocol].find((name) => names.has(name));
}

/** Whether a path serves sockets: `/`, `/websocket`, or `/websocket/` and the user's shard, with or without a slash at its end. */
export function isSocketPath(path: string): boolean {
  return path === '/' || /^\/websocket(\/\d+)?$/.test(withoutSlash(path));
}
