import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import * as patterns from '../../packages/contract/src/patterns.ts';
import { textOf, type Attack } from './regexp/attacks.ts';
import { worstAttacks } from './regexp/find-attack.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDERS = [
  'gateway',
  'services/*',
  'packages/*',
  'cli',
  'demo',
  'demo/chat',
  'console',
  'console/server',
];
const SKIPPED = /\.test\.tsx?$|\/testing\//;

/** The shorter text, and how much longer the other one is: as long as all headers of a request together. */
const [SHORT, FACTOR] = [2_000, 16];
/** A machine that is busy makes a linear expression that much slower, a quadratic one takes seconds. */
const MOST_GROWTH = 4 * FACTOR;
const ALLOWED_MS = 200;
const ATTACKS = 12;
const REPEATS = 3;

type Found = { source: string; flags: string };

/** Every literal of the sources, and every pattern of the contract's schemas. */
function expressions(): Found[] {
  const files = FOLDERS.flatMap((folder) =>
    ts.sys.readDirectory(ROOT, ['.ts', '.tsx'], ['**/node_modules', '**/dist'], [`${folder}/src/**/*`]),
  );
  const literals = files.filter((file) => !SKIPPED.test(file)).flatMap(literalsOf);
  const documents = ['openapi.json', 'asyncapi.json'].map((name) =>
    readFileSync(path.join(ROOT, 'docs', name), 'utf8'),
  );
  const texts = [...Object.values(patterns), ...documents.flatMap((text) => patternsIn(JSON.parse(text)))];
  const all = [...literals, ...texts.map((source) => ({ source, flags: 'u' }))];
  return [...new Map(all.map((one) => [`/${one.source}/${one.flags}`, one])).values()];
}

function literalsOf(file: string): Found[] {
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return found;
}

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    key === 'pattern' && typeof member === 'string' ? [member] : patternsIn(member),
  );
}

const ALL = expressions();

/** The shortest of several runs, in milliseconds. */
function timeOf({ source, flags }: Found, text: string, repeats = REPEATS): number {
  const times = Array.from({ length: repeats }, () => {
    const expression = new RegExp(source, flags);
    const began = performance.now();
    if (expression.global) for (const _ of text.matchAll(expression));
    else expression.exec(text);
    return performance.now() - began;
  });
  return Math.min(...times);
}

function isSlow(expression: Found, attack: Attack): boolean {
  const text = textOf(attack, SHORT * FACTOR);
  if (timeOf(expression, text, 1) <= ALLOWED_MS) return false;
  const long = timeOf(expression, text);
  return long > ALLOWED_MS && long > MOST_GROWTH * timeOf(expression, textOf(attack, SHORT));
}

test('the expressions of all sources are found', () => {
  expect(ALL.length).toBeGreaterThan(100);
});

test('the measurement tells a quadratic expression from a linear one', () => {
  const slow = { source: '(?:"(?:[^"\\\\]|\\\\.)*"|[^",])+', flags: 'g' };
  expect(isSlow(slow, { before: '', pump: '\\"', after: '' })).toBe(true);
  expect(isSlow({ source: '^[^"]*$', flags: '' }, { before: '', pump: 'x', after: '"' })).toBe(false);
});

test('a text of sixteen times the length takes no expression much more than sixteen times as long', () => {
  const slow = ALL.flatMap((expression) => {
    const isRepeated = expression.flags.includes('g');
    const attacks = worstAttacks({ ...expression, isRepeated }, ATTACKS);
    return attacks
      .filter((attack) => isSlow(expression, attack))
      .map((attack) => ({ ...expression, attack }));
  });
  expect(slow).toEqual([]);
}, 600_000);
