import { create } from '@bufbuild/protobuf';
import { problemOf } from '@parley/domain/problems';
import { PartSchema, type Part } from '@parley/proto/parley/messaging/v1/message_pb';
import { PartListSchema } from '@parley/proto/parley/messaging/v1/parts_service_pb';
import fc from 'fast-check';
import { applyEdit, type PartsEdit } from './apply-edit.ts';

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const part = fc.record({ id: ids, body: fc.string({ maxLength: 8 }) }).map(toPart);
const partLists = fc.uniqueArray(part, { selector: ({ id }) => id, minLength: 1, maxLength: 6 });

const edits: fc.Arbitrary<PartsEdit> = fc.oneof(
  part.map((value): PartsEdit => ({ case: 'add', value })),
  part.map((value): PartsEdit => ({ case: 'update', value })),
  ids.map((value): PartsEdit => ({ case: 'remove', value })),
  partLists.map((parts): PartsEdit => ({ case: 'replaceAll', value: create(PartListSchema, { parts }) })),
);

function toPart({ id, body }: { id: string; body: string }): Part {
  return create(PartSchema, { id, body, mimeType: 'text/plain' });
}

type Simple = [id: string, body: string][];
function simple(parts: readonly Part[]): Simple {
  return parts.map(({ id, body = '' }) => [id, body]);
}

/** The expected list of parts; undefined: the edit is refused. */
function expected(before: Simple, edit: PartsEdit): Simple | undefined {
  const has = (id: string) => before.some(([known]) => known === id);
  switch (edit.case) {
    case 'add':
      return has(edit.value.id) ? undefined : [...before, ...simple([edit.value])];
    case 'update': {
      const { id, body = '' } = edit.value;
      return has(id) ? before.map((one) => (one[0] === id ? [id, body] : one)) : undefined;
    }
    case 'remove':
      return has(edit.value) && before.length > 1 ? before.filter(([id]) => id !== edit.value) : undefined;
    case 'replaceAll':
      return simple(edit.value.parts);
    default:
      throw new Error('no edit');
  }
}

function attempt(parts: readonly Part[], edit: PartsEdit, now: number) {
  try {
    const edited = applyEdit(parts, { edit, now, requestId: '' });
    return edited.kind === 'changed' ? edited : undefined;
  } catch (error) {
    if (!problemOf(error)) throw error;
    return undefined;
  }
}

test('edits change the parts as asked, and their events change a copy in the same way', () => {
  fc.assert(
    fc.property(partLists, fc.array(edits, { maxLength: 12 }), (initial, list) => {
      let parts: Part[] = initial;
      list.forEach((edit, now) => {
        const wanted = expected(simple(parts), edit);
        const edited = attempt(parts, edit, now);
        expect(edited && simple(edited.parts)).toEqual(wanted);
        if (!edited) return;
        const copy = new Map(simple(parts));
        for (const id of edited.removedIds) expect(copy.delete(id)).toBe(true);
        for (const { id, body = '' } of edited.updated)
          expect(copy.has(id) && copy.set(id, body)).toBeTruthy();
        for (const { id, body = '' } of edited.added)
          expect(!copy.has(id) && copy.set(id, body)).toBeTruthy();
        expect(copy).toEqual(new Map(simple(edited.parts)));
        for (const { updatedAt } of [...edited.added, ...edited.updated]) expect(updatedAt).toBe(now);
        parts = edited.parts;
      });
    }),
  );
});

test('a repeated call finds the part that it added', () => {
  const edit: PartsEdit = { case: 'add', value: toPart({ id: 'a', body: 'new' }) };
  const first = applyEdit([toPart({ id: 'b', body: '' })], { edit, now: 1, requestId: 'one' });
  if (first.kind !== 'changed') throw new Error(first.kind);
  expect(applyEdit(first.parts, { edit, now: 2, requestId: 'one' })).toEqual({ kind: 'done' });
  expect(applyEdit(first.parts, { edit, now: 2, requestId: 'two' }).kind).toBe('id in use');
});

test('a message does not grow beyond 1000 parts, nor beyond what an event can carry', () => {
  const many = Array.from({ length: 1000 }, (_, index) => toPart({ id: String(index), body: '' }));
  const add: PartsEdit = { case: 'add', value: toPart({ id: 'one more', body: '' }) };
  expect(attempt(many, add, 1)).toBeUndefined();
  expect(attempt(many.slice(1), add, 1)?.parts).toHaveLength(1000);
  const large = Array.from({ length: 400 }, (_, index) =>
    toPart({ id: String(index), body: 'x'.repeat(2048) }),
  );
  expect(attempt(large, add, 1)?.parts).toHaveLength(401);
  const tooLarge = Array.from({ length: 409 }, (_, index) => ({ ...large[0]!, id: String(index) }));
  expect(attempt(tooLarge, { case: 'add', value: { ...large[0]!, id: 'one more' } }, 1)).toBeUndefined();
});
