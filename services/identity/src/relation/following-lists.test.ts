import fc from 'fast-check';
import { pageAfter } from './following-lists.ts';

function inOrder(ids: string[]) {
  return [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

test('pages of any size joined together are the whole list', () => {
  const ids = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 40 });
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 7 }), (unordered, pageSize) => {
      const all = inOrder(unordered);
      const seen: string[] = [];
      for (let fromId = ''; ;) {
        const page = pageAfter(all, fromId, pageSize);
        seen.push(...page);
        fromId = page.at(-1) ?? '';
        if (page.length === 0) break;
      }
      expect(seen).toEqual(all);
    }),
  );
});

test('a page after a user who is not in the list begins at their place in the order', () => {
  expect(pageAfter(['a', 'c', '￿', '🙂'], 'b', 10)).toEqual(['c', '￿', '🙂']);
  expect(pageAfter(['a', 'c', '￿', '🙂'], '￿', 10)).toEqual(['🙂']);
  expect(pageAfter(['a'], 'b', 10)).toEqual([]);
});
