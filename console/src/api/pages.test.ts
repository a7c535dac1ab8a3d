import { filteredList, type PagedList } from './pages.ts';

/** A list of pages by their number, which notes what was read of it. */
function listOf(pages: readonly (readonly string[])[]): PagedList<string> & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    queryKey: ['words'],
    read(from) {
      asked.push(from);
      const at = Number(from);
      const next = at + 1 < pages.length ? String(at + 1) : undefined;
      return Promise.resolve({ rows: pages[at] ?? [], next, count: 6 });
    },
  };
}

const { signal } = new AbortController();
const textsOf = (word: string) => [word];

test('pages are read until one has a row with the text, and no further', async () => {
  const list = listOf([['loom', 'card'], ['gear', 'cog'], ['Engine', 'weave'], ['engineer']]);
  const page = await filteredList(list, 'engine', textsOf).read('', signal);
  expect(page).toEqual({ rows: ['Engine'], next: '3', count: undefined });
  expect(list.asked).toEqual(['', '1', '2']);
});

test('a text that no row has ends with the list', async () => {
  const page = await filteredList(listOf([['loom'], ['card']]), 'engine', textsOf).read('', signal);
  expect(page).toEqual({ rows: [], next: undefined, count: undefined });
});

test('an empty text is the list itself; another one is a list of its own', () => {
  const list = listOf([['loom']]);
  expect(filteredList(list, '', textsOf).queryKey).toEqual(['words']);
  expect(filteredList(list, 'x', textsOf).queryKey).toEqual(['words', 'with', 'x']);
});
