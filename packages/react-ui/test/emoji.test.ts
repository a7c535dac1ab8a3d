import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { emojiSource } from './emoji-data.ts';

const FILE = path.resolve(import.meta.dirname, '../src/emoji-data.ts');

test('the picker has the emoji that Unicode lists', () => {
  const source = emojiSource();
  if (process.env['UPDATE_EMOJI']) writeFileSync(FILE, source);
  expect(readFileSync(FILE, 'utf8')).toBe(source);
});
