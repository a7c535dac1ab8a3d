import { isUuid } from '@parley/domain/ids';
import type { Wire } from '@parley/domain/wire';
import { ownProperty, type ParsedToken } from './parse-token.ts';

/** A URI of the right kind; `uuid` is undefined when no UUID follows the prefix. */
type Reference = { uuid: string | undefined };

/** The key that the header names; undefined when `kid` does not begin like the URI of a key. */
export function keyReference(wire: Wire, token: ParsedToken): Reference | undefined {
  return readReference(wire.uri('keys', ''), ownProperty(token.header, 'kid'));
}

/** The provider that the claims name; undefined when `iss` does not begin like the URI of a provider. */
export function providerReference(wire: Wire, token: ParsedToken): Reference | undefined {
  return readReference(wire.uri('providers', ''), ownProperty(token.claims, 'iss'));
}

function readReference(prefix: string, value: unknown): Reference | undefined {
  if (typeof value !== 'string' || !value.startsWith(prefix)) return undefined;
  const rest = value.slice(prefix.length).toLowerCase();
  return { uuid: isUuid(rest) ? rest : undefined };
}
