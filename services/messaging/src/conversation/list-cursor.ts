import { isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';

/** The end of a page of a list by last message. */
export type ListCursor = {
  id: string;
  /** Time of the last message that the list showed then. Microseconds. */
  place: number;
};

/** A text that clients hand back as it is. */
export function formatCursor({ id, place }: ListCursor): string {
  return Buffer.from(`${place}/${id}`).toString('base64url');
}

/** Problem: invalid_property (cursor). */
export function parseCursor(cursor: string): ListCursor {
  const [at = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split('/');
  const place = /^\d{1,16}$/.test(at) ? Number(at) : NaN;
  const isValid = Number.isSafeInteger(place) && isUuid(id) && rest.length === 0;
  return isValid ? { id, place } : failUnknownCursor();
}

export function failUnknownCursor(): never {
  return fail('invalid_property', {
    property: 'cursor',
    message: 'cursor is not that of a page of this list.',
  });
}
