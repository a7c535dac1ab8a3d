import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';

/** The last change of a page. A replay goes through conversations by id, and through each by its change numbers. */
export type Cursor = { conversationId: string; seq: number };

const START: Cursor = { conversationId: NIL_UUID, seq: 0 };

export function formatCursor({ conversationId, seq }: Cursor): string {
  return `${conversationId}:${seq}`;
}

/** Empty: from the beginning. Problem: invalid_property (cursor). */
export function parseCursor(text: string): Cursor {
  if (text === '') return START;
  const [id = '', seq = ''] = text.split(':');
  if (!isUuid(id) || !/^\d{1,15}$/.test(seq)) return fail('invalid_property', { property: 'cursor' });
  return { conversationId: id, seq: Number(seq) };
}
