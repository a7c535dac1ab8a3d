import { globSync, existsSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY } from '../documents/page.ts';
import { findCommand } from './commands.mjs';

const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };

/** The words after `scripts/bootstrap.mjs` that a script of package.json gives. */
const wordsOf = (script: string): string[] => script.split('scripts/bootstrap.mjs ')[1]?.split(' ') ?? [];

test('there are nine scripts, and each is a command', () => {
  expect(Object.keys(scripts)).toHaveLength(9);
  for (const [name, script] of Object.entries(scripts)) expect(wordsOf(script)).toEqual([name]);
});

const documents = globSync('{*,{docs,deploy,packages,lab}/**/*}.md', {
  cwd: REPOSITORY,
  exclude: (name) => /(?:^|\/)(?:node_modules|dist)$/.test(name),
});

/** Scripts of an application that the starter makes, which the quick start names. */
const APPLICATION_SCRIPTS = new Set(['dev', 'build']);

/** Commands of documents, such as `npm run lab -- faults`: the script, and the first word that it gets. */
const written = documents.flatMap((file) =>
  [...readText(file).matchAll(/npm run (?:--silent )?([a-z]+)(?: -- ([a-z-]+))?/g)].map(
    ([text, script = '', word]) => ({ file, text, script, word }),
  ),
);

test('documents name commands that there are, and each runs a file that there is', () => {
  expect(written.length).toBeGreaterThan(40);
  for (const { file, text, script, word } of written) {
    if (APPLICATION_SCRIPTS.has(script)) continue;
    expect({ file, text, exists: script in scripts }).toMatchObject({ exists: true });
    const words = ['lab', 'generate', 'check'].includes(script) && word ? [script, word] : [script];
    if (words[0] === 'lab' && !word) continue;
    const { command } = findCommand(words);
    const isThere = !command.script || /\/dist\//.test(command.script) || isFile(command.script);
    expect({ file, text, isThere }).toMatchObject({ isThere: true });
  }
});

const isFile = (file: string): boolean => existsSync(path.join(REPOSITORY, file));

test('a command of a group gets the words after its name', () => {
  const long = findCommand(['lab', 'faults', '--seed', '7']);
  expect(long.words).toEqual(['--seed', '7']);
  expect(findCommand(['faults', '--seed', '7'])).toEqual(long);
  expect(findCommand(['check', 'format']).words).toEqual(['--write', '--log-level', 'warn', '.']);
});

test.each([
  [[], 'Unknown command : there are start, test, parley, lab, generate, check.'],
  [['toString'], 'Unknown command toString: there are start, test, parley, lab, generate, check.'],
  [['generate', 'toString'], /^npm run generate -- <name>: there are code, .*, not toString\.$/],
  [['lab'], /^npm run lab -- <name>: there are bench, .*comments\.$/],
])('what is no command is refused with the names that there are: %j', (words, message) => {
  expect(() => findCommand(words)).toThrow(message);
});
