import { parseUri } from '../ids.ts';
import { fail } from '../problems.ts';
import type { UriKind, Wire } from '../wire.ts';
import { optional, type Fields } from './fields.ts';

/** The id, URI or UUID, that a caller assigns to a new object; undefined without one. Fails with invalid_request_id. */
export function parseRequestId(wire: Wire, kind: UriKind, fields: Fields): string | undefined {
  const given = optional(fields, 'id');
  if (given === undefined) return undefined;
  const id = typeof given === 'string' ? parseUri(wire, kind, given) : undefined;
  return id ?? fail('invalid_request_id', { property: 'id' });
}
