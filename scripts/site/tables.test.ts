import { withTables } from './tables.ts';

const read = (file: string): string => ({ 'a.tsv': 'name\tsays\n`x`\tone | two\ny\t\n' })[file] ?? '';

test('a link to data that is a paragraph becomes a table, and no other link', () => {
  expect(withTables('# Title\n\n[The data](a.tsv)\n\nSee [it](a.tsv) and [that](b.md).\n', read)).toBe(
    '# Title\n\n| name | says |\n| --- | --- |\n| `x` | one \\| two |\n| y |  |\n\nSee [it](a.tsv) and [that](b.md).\n',
  );
});
