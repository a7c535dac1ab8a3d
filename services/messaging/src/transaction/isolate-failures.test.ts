import { Code } from '@connectrpc/connect';
import { CONTENDED, type Answer } from '@parley/kit/flow/batch';
import { DatabaseError } from '@parley/kit/postgres';
import { isolateFailures } from './isolate-failures.ts';

function keyOf(item: string): string {
  return item.charAt(0);
}

/** Runs batches by a rule for each item; a rule that throws fails its batch. */
function runner(rule: (item: string) => Answer<string> = (item) => item) {
  const runs: string[] = [];
  const run = async (items: string[]): Promise<Answer<string>[]> => {
    runs.push(items.join(' '));
    return items.map(rule);
  };
  return { runs, run };
}

function fault(code: Code): DatabaseError {
  return new DatabaseError('refused', code, { sqlState: 'XX000' });
}

test('an item that the database cannot take fails alone, after few transactions', async () => {
  const bad = fault(Code.Internal);
  const { runs, run } = runner((item) => {
    if (item === 'a7') throw bad;
    return item;
  });
  const items = Array.from({ length: 256 }, (_, index) => `a${index}`);
  const answers = await isolateFailures(items, run, keyOf);
  expect(answers).toEqual(items.map((item) => (item === 'a7' ? bad : item)));
  expect(runs.length).toBeLessThanOrEqual(17);
});

test('a failure that is not caused by data is not tried item by item', async () => {
  const { runs, run } = runner(() => {
    throw fault(Code.Unavailable);
  });
  await expect(isolateFailures(['a1', 'a2', 'a3'], run, keyOf)).rejects.toMatchObject({
    code: Code.Unavailable,
  });
  expect(runs).toHaveLength(1);
});

test('items that ran before the database failed keep their answers, and the rest is not tried', async () => {
  let isDown = false;
  const outage = fault(Code.Unavailable);
  const { runs, run } = runner((item) => {
    if (isDown) throw outage;
    if (item === 'd1') throw fault(Code.Internal);
    return item;
  });
  const answers = await isolateFailures(
    ['a1', 'b1', 'c1', 'd1', 'e1', 'f1'],
    async (items) => {
      if (runs.length === 2) isDown = true;
      return run(items);
    },
    keyOf,
  );
  expect(answers.slice(0, 3)).toEqual(['a1', 'b1', 'c1']);
  expect(runs).toHaveLength(3);
  expect(answers.slice(3)).toEqual([outage, outage, outage]);
});

test('behind a contended item the later ones of its key are contended, too', async () => {
  const { run } = runner((item) => {
    if (item === 'c1') throw fault(Code.Internal);
    return item === 'a1' ? CONTENDED : item;
  });
  const answers = await isolateFailures(['a1', 'b1', 'b2', 'a2', 'c1', 'b3'], run, keyOf);
  expect(answers.slice(0, 4)).toEqual([CONTENDED, 'b1', 'b2', CONTENDED]);
  expect(answers[4]).toBeInstanceOf(DatabaseError);
  expect(answers[5]).toBe('b3');
});
