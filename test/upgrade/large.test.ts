import { describeWith } from '@parley/testing';
import { readArguments } from '../../lab/upgrade/arguments.ts';
import { judge } from '../../lab/upgrade/judge.ts';
import { upgradeLarge, type Report } from '../../lab/upgrade/run.ts';
import type { Statement } from '../../lab/upgrade/statements.ts';

const periodic = (differences: Partial<Statement> = {}): Statement => ({
  ...{ id: '1', database: 'messaging', text: 'select id from live_publisher', runs: 10 },
  ...{ meanMs: 1, mostMs: 2, blocks: 5, rows: 0, ...differences },
});
const kept: Report = {
  ...{ slowestBefore: 10, sends: 100, slowestAfter: 10, uneven: [] },
  migrations: [{ service: 'messaging', migration: '0039_everywhere', from: 0, until: 9, slowestSend: 20 }],
  periodic: [periodic()],
  besideSends: [periodic()],
  sentInSlice: 20,
};

test.each<[string, Partial<Report>, string]>([
  ['a partition lacks an index', { uneven: ['a lacks b'] }, 'a lacks b'],
  ['nothing was migrated', { migrations: [] }, 'nothing was migrated'],
  ['nothing periodic was seen', { periodic: [] }, 'no periodic statement was seen'],
  ['a statement reads too much', { periodic: [periodic(), periodic({ blocks: 500 })] }, 'reads 500 blocks'],
  ['it does so beside sends', { besideSends: [periodic({ blocks: 550, rows: 35 })] }, 'reads 550 blocks'],
  ['a statement takes too long', { besideSends: [periodic({ meanMs: 101 })] }, 'in 101.0 ms'],
  [
    'a send waited',
    { migrations: [{ ...kept.migrations[0]!, slowestSend: 10_001 }] },
    'a send took 10001 ms',
  ],
])('an upgrade is judged: %s', (_what, differences, sentence) => {
  expect(judge({ ...kept, ...differences }, { isTimed: true }).join()).toContain(sentence);
});

test('an upgrade is judged: nothing is wrong', () => {
  const busy = { periodic: [periodic(), periodic({ blocks: 500, rows: 40 })] };
  expect(judge({ ...kept, ...busy }, { isTimed: true })).toEqual([]);
  const besideSends = [periodic({ meanMs: 9_999 }), periodic({ blocks: 190 })];
  expect(judge({ ...kept, besideSends }, { isTimed: false })).toEqual([]);
});

test('the command says which arguments it takes', () => {
  expect(readArguments(['--', '--changes', '10'])).toMatchObject({ changes: 10, messages: 200_000 });
  expect(() => readArguments(['--messages', 'many'])).toThrow('--messages is a whole number from 1');
});

describeWith('history', 'an installation of the last release with history', () => {
  test('is upgraded while messages are sent: all partitions get all indexes, and no periodic statement reads it', async () => {
    const amount = { changes: 20_000, messages: 4_000, history: 20_000 };
    const report = await upgradeLarge({ ...amount, observeMs: 15_000, say: () => undefined });
    expect(judge(report, { isTimed: false })).toEqual([]);
  }, 600_000);
});
