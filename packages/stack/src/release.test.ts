import { parseChangelog } from './release.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';

test('the newest release is the one that comes first', () => {
  const text = `# Changelog\n\n## 1.2.0\n\nCommit \`${commit}\`.\n\n## 1.1.0\n\nCommit \`${'f'.repeat(40)}\`.\n`;
  expect(parseChangelog(text)).toEqual({ version: '1.2.0', commit });
});

test.each(['', '## 1.2.0\n\nNo commit.', `## 1.2.0\n\nCommit \`abc\`.`])(
  'a text without a release and its commit is refused: %j',
  (text) => expect(() => parseChangelog(text)).toThrow('names no release'),
);
