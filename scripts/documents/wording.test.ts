import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readText, REPOSITORY } from './page.ts';

/** Doc comments that begin with a word that names no subject. CONTRIBUTING.md#style */
const OPENING = /\/\*\*\s*(?:\n\s*\*\s*)?(?:Of|What|Who|Where|The same)\b[^\n]*/g;

/** Folders whose comments are reworded when they are changed for other reasons. All others hold to the rule. */
const EXEMPT = ['gateway', 'demo', 'packages/react'];
/** Comments in these folders that break the rule, which may become fewer. */
const LEFT = 74;

const FOLDERS = 'cli,console,demo,deploy,gateway,lab,packages,proto,scripts,services,test';
const files = globSync(`{${FOLDERS}}/**/*.{ts,tsx}`, {
  cwd: REPOSITORY,
  exclude: (name) => /(?:^|\/)(?:node_modules|gen|dist)$/.test(name),
});

function openingsIn(file: string): string[] {
  return [...readText(file).matchAll(OPENING)].map(([text]) => `${file}: ${text.replace(/\s+/g, ' ')}`);
}

const isHeld = (file: string) =>
  !EXEMPT.some((folder) => file.startsWith(`${folder}/`)) && !file.endsWith('/wording.test.ts');

test('doc comments begin with a verb, or with a noun that names their subject', () => {
  expect(files.filter(isHeld).length).toBeGreaterThan(200);
  expect(files.filter(isHeld).flatMap(openingsIn)).toEqual([]);
});

test('there are no more of those that do not than there were', () => {
  const left = files.filter((file) => !isHeld(file)).flatMap(openingsIn);
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThanOrEqual(LEFT);
});

test('the comments that the rule forbids are recognised', () => {
  const text = [
    '/** Of a user. */',
    '/**\n * What it is. */',
    '/** Whatever comes. */',
    '/** Whether it is. */',
  ].join('\n');
  expect([...text.matchAll(OPENING)]).toHaveLength(2);
});

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: REPOSITORY,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Subjects of the commits since this rule is checked; none where the history is not there. */
function subjects(): string[] {
  try {
    const file = 'scripts/documents/wording.test.ts';
    const first = git('log', '--diff-filter=A', '--format=%H', '--', file).trim().split('\n').at(-1);
    return first
      ? git('log', '--format=%s', '--no-merges', `${first}..HEAD`).split('\n').filter(Boolean)
      : [];
  } catch {
    return [];
  }
}

const isPlain = (subject: string) => subject.length <= 72 && /^[a-z][a-z, /-]*: [A-Z].*\.$/.test(subject);

test('subjects of commits name an area and what is noticed, in at most 72 characters', () => {
  expect(subjects().filter((subject) => !isPlain(subject))).toEqual([]);
});

test.each([
  ['messaging: Tell who is added of the conversation.', true],
  ['Tell who is added of the conversation.', false],
  ['messaging: tell who is added', false],
  [`messaging: ${'Tell who is added of the conversation. '.repeat(2).trim()}`, false],
])('the subject %j is fine: %s', (subject, isFine) => {
  expect(isPlain(subject)).toBe(isFine);
});
