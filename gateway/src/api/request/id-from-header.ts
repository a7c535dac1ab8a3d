import { parseUri } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type { UriKind } from '@parley/domain/wire';
import type { Uses } from '../context.ts';
import type { ApiRequest } from './route.ts';

/**
 * The id that a server assigns to a new object with If-None-Match; undefined without the header and for clients, which put the id into the
 * body. docs/protocol/requests.md#repeating-a-request. Problems: invalid_request_id.
 */
export function idFromHeader(
  { wire }: Uses<'wire'>,
  { headers, view }: ApiRequest,
  kind: UriKind,
): string | undefined {
  const given = headers['if-none-match'];
  if (given === undefined || view.audience === 'client') return undefined;
  const bare = given.trim().replace(/^"(.*)"$/, '$1');
  return parseUri(wire, kind, bare) ?? fail('invalid_request_id');
}
