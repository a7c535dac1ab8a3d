import { createGathered } from './gathered.ts';
import type { OperatorCall } from './call.ts';

const REFUSED = { outcome: 'refused', code: 'access_denied' } as const;

function call(changes: Partial<OperatorCall> = {}): OperatorCall {
  return {
    actor: 'admin',
    person: { issuer: 'i', subject: 'ada' },
    method: 'CreateKey',
    appId: undefined,
    subject: '',
    namesUser: false,
    ...changes,
  };
}

function gather(maxKinds?: number, isWritten = true) {
  const written: [method: string, count: number][] = [];
  const write = ({ method }: OperatorCall, _: unknown, count: number) => {
    written.push([method, count]);
    return Promise.resolve(isWritten);
  };
  const limit = maxKinds === undefined ? {} : { maxKinds };
  return { written, gathered: createGathered({ everyMs: 3_600_000, write, ...limit }) };
}

test('a flood of one kind is written twice: its first at once, and the number of the others', async () => {
  const { written, gathered } = gather();
  for (let time = 0; time < 10_000; time++) await gathered.note(call(), REFUSED);
  expect(written).toEqual([['CreateKey', 1]]);
  await gathered.stop();
  expect(written).toEqual([
    ['CreateKey', 1],
    ['CreateKey', 9_999],
  ]);
});

test('a caller who makes up kinds without end is written as one of many', async () => {
  const { written, gathered } = gather(3);
  for (let n = 0; n < 1_000; n++) await gathered.note(call({ appId: String(n) }), REFUSED);
  await gathered.stop();
  expect(written).toEqual([
    ['CreateKey', 1],
    ['CreateKey', 1],
    ['CreateKey', 1],
    ['many methods', 1],
    ['many methods', 996],
  ]);
});

test('people, codes and methods are told apart', async () => {
  const { written, gathered } = gather();
  await gathered.note(call(), REFUSED);
  await gathered.note(call({ person: { issuer: 'i', subject: 'bob' } }), REFUSED);
  await gathered.note(call({ method: 'DeleteKey' }), REFUSED);
  await gathered.note(call(), { ...REFUSED, code: 'not_found' });
  await gathered.stop();
  expect(written).toHaveLength(4);
});

test('what could not be written is counted with what follows', async () => {
  const written: number[] = [];
  let isWritten = false;
  const write = (_call: OperatorCall, _outcome: unknown, count: number) => {
    if (isWritten) written.push(count);
    return Promise.resolve(isWritten);
  };
  const gathered = createGathered({ everyMs: 3_600_000, write });
  await gathered.note(call(), REFUSED);
  await gathered.note(call(), REFUSED);
  isWritten = true;
  await gathered.stop();
  expect(written).toEqual([2]);
});

test('a log that cannot be written is tried once at the end, however many kinds there are', async () => {
  const { written, gathered } = gather(100, false);
  for (let n = 0; n < 400; n++) await gathered.note(call({ appId: String(n % 50) }), REFUSED);
  expect(written).toHaveLength(50);
  await gathered.stop();
  expect(written).toHaveLength(51);
});
