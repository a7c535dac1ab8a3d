import { invalid, missing, optional, parseObject } from './fields.ts';

/**
 * `{external_unread_count}`. Fails with invalid_request, missing_property, invalid_property.
 * docs/protocol/users.md#the-badge
 */
export function parseBadge(body: unknown): number {
  const name = 'external_unread_count';
  const count = optional(parseObject(body), name) ?? missing(name);
  const fits = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0;
  return fits ? count : invalid(name, 'must be a whole number of at least 0.');
}
