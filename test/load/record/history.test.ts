import type { Figures } from '../stats.ts';
import { appendLines, HISTORY_HEAD, historyLine, PROCESSOR_HEAD, processorLines } from './history.ts';

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

function cell(head: readonly string[], line: readonly string[], name: string): string | undefined {
  return line[head.indexOf(name)];
}

test('a figure stands with its ratio to the floor of the same run', () => {
  const line = historyLine(RUN);
  expect(line).toHaveLength(HISTORY_HEAD.length);
  expect(line.slice(0, 2)).toEqual(['2026-11-22', 'c4e0bde']);
  expect(cell(HISTORY_HEAD, line, 'echo floor')).toBe('50,000');
  expect(cell(HISTORY_HEAD, line, 'foreign')).toBe('7 %');
  expect(cell(HISTORY_HEAD, line, 'WebSocket, 50')).toBe('3,500 (0.070), p50 6.0 ms');
});

test('without the floor there is no ratio, and what was not measured is empty', () => {
  const line = historyLine(RUN);
  expect(cell(HISTORY_HEAD, line, 'REST, 64')).toBe('2,400, p50 6.0 ms');
  expect(cell(HISTORY_HEAD, line, 'receipts, 200')).toBe('');
});

test('processor time is given by process, and the sum leaves the client out', () => {
  const [socket, ...others] = processorLines(RUN);
  expect(others).toHaveLength(1);
  expect(socket).toHaveLength(PROCESSOR_HEAD.length);
  const of = (name: string) => cell(PROCESSOR_HEAD, socket!, name);
  expect(['gateway', 'others', 'all', 'client', 'switches'].map(of)).toEqual(['97', '5', '102', '20', '1.3']);
});

test('lines are added at the end of the table with the same columns', () => {
  const page = ['# Page', '', '| a   | b |', '| --- | - |', '| 1   | 2 |', '', '| c |', '| - |', ''].join(
    '\n',
  );
  expect(appendLines(page, ['a', 'b'], [['3', '4']])).toBe(
    ['# Page', '', '| a   | b |', '| --- | - |', '| 1   | 2 |', '| 3 | 4 |', '', '| c |', '| - |', ''].join(
      '\n',
    ),
  );
  expect(appendLines('| c |\n| - |', ['c'], [['5']])).toBe('| c |\n| - |\n| 5 |');
});

test('a document without the table is refused', () => {
  expect(() => appendLines('# Page', ['a', 'b'], [])).toThrow('no table with the columns a, b');
});
