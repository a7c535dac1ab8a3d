import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Figures } from '../stats.ts';
import { COLUMNS, historyLines, lastRun } from './history.ts';
import { HISTORY, PAGE, withLastRun } from './page.ts';

const repository = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(repository, file), 'utf8');

function figures(name: string, rate: number, cpu: Record<string, number> = {}): Figures {
  const switches = { gateway: 1.25, client: 9 };
  return { name, count: rate * 2, seconds: 2, p50: 6.04, p99: 20, cpu, switches, foreign: 0.07 };
}

const RUN = {
  date: '2026-11-22',
  commit: 'c4e0bde',
  rows: [
    figures('floor: ws echo', 50_000),
    figures('WebSocket sends, 50 in flight', 3_500, { gateway: 97, identity: 3, content: 2, client: 20 }),
    figures('REST sends, 64 in flight', 2_400),
  ],
};

function lineOf(scenario: string): Record<string, string> | undefined {
  const lines = historyLines(RUN).map((line) => line.split('\t'));
  const found = lines.find((cells) => cells[2] === scenario);
  return found && Object.fromEntries(found.map((cell, index) => [COLUMNS[index], cell]));
}

test('a figure stands with its ratio to the floor of the same run', () => {
  expect(lineOf('echo floor')).toMatchObject({ 'per second': '50000', 'ratio to floor': '', 'all µs': '' });
  expect(lineOf('WebSocket, 50')).toMatchObject({
    date: '2026-11-22',
    commit: 'c4e0bde',
    'per second': '3500',
    'ratio to floor': '0.070',
    'p50 ms': '6.0',
    'foreign %': '7',
  });
});

test('without the floor there is no ratio, and what was not measured has no line', () => {
  expect(lineOf('REST, 64')).toMatchObject({ 'per second': '2400', 'ratio to floor': '' });
  expect(lineOf('receipts, 200')).toBeUndefined();
});

test('processor time is given by process, and the sum leaves the client out', () => {
  expect(lineOf('WebSocket, 50')).toMatchObject({
    'gateway µs': '97',
    'others µs': '5',
    'all µs': '102',
    'client µs': '20',
    switches: '1.3',
  });
});

test('every line has a cell for each column, as those of the history have', () => {
  const [head = '', ...lines] = read(HISTORY).trimEnd().split('\n');
  expect(head.split('\t')).toEqual(COLUMNS);
  expect(lines.length).toBeGreaterThan(80);
  const cells = [...lines, ...historyLines(RUN)].map((line) => line.split('\t').length);
  expect([...new Set(cells)]).toEqual([COLUMNS.length]);
});

test('the last run is that of the last line', () => {
  const history = [
    COLUMNS.join('\t'),
    ...historyLines({ ...RUN, commit: 'before' }),
    ...historyLines(RUN),
    '',
  ];
  const { commit, table } = lastRun(history.join('\n'));
  expect(commit).toBe('c4e0bde');
  expect(table.split('\n')).toEqual([
    '| scenario | per second | ratio to floor | p50 ms | all µs |',
    '| --- | --- | --- | --- | --- |',
    '| echo floor | 50000 |  |  |  |',
    '| WebSocket, 50 | 3500 | 0.070 | 6.0 | 102 |',
    '| REST, 64 | 2400 |  | 6.0 | 0 |',
  ]);
});

test('the page shows the last run of the history', async () => {
  const expected = await withLastRun(read(PAGE), read(HISTORY));
  if (process.env['UPDATE_DOCS']) writeFileSync(path.join(repository, PAGE), expected);
  expect(read(PAGE)).toBe(expected);
});

test('a page without the section is refused', async () => {
  await expect(withLastRun('# Page\n', read(HISTORY))).rejects.toThrow('lacks the section');
});
