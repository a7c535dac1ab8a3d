import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '..');

/** Top-level declarations that read `participant`, as `file name`, with their text. */
function readersOfParticipants(): { name: string; text: string }[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  return files.flatMap((file) => {
    const declarations = readFileSync(path.join(FOLDER, file), 'utf8').split(
      /^(?=(?:export |async |function |const |type ))/m,
    );
    return declarations.flatMap((text) => {
      if (!/(?:from|join|using)\s+participant\b|lookUp\(\s*'participant'/.test(text)) return [];
      const [, name = ''] = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(text) ?? [];
      return [{ name: `${path.basename(file, '.ts')} ${name}`, text }];
    });
  });
}

/** Readers that may read the participation of an erased person, and why. */
const EXCEPTIONS = new Map([
  ['erasure findNextConversation', 'finds what is to be erased'],
  [
    'cached-send changedSends',
    'the cache compares the incarnation of the sender; a blocker makes the send leave the cache',
  ],
  ['export-message readMessageSpans', 'an upper bound of sizes'],
  ['receipt-reset resetReceipts', 'writes, by the incarnation that it is given'],
]);

const readers = readersOfParticipants();

test('every statement that reads participants asks whether they are held by the present person', () => {
  expect(readers.length).toBeGreaterThan(15);
  const unasked = readers.filter(
    ({ name, text }) => !/\bisHeld(?:By|With)?\(|\bOF_USER\b/.test(text) && !EXCEPTIONS.has(name),
  );
  expect(unasked.map(({ name }) => name)).toEqual([]);
});

test('the exceptions exist', () => {
  const names = readers.map(({ name }) => name);
  expect([...EXCEPTIONS.keys()].filter((name) => !names.includes(name))).toEqual([]);
});
