import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { problemOf } from '@parley/domain/problems';
import { expectProblem } from '@parley/domain/testing/problems';
import { answerSealer } from '../src/idempotency/answers.ts';
import { startIdentity, type Platform } from './support/platform.ts';

// docs/protocol/requests.md#repeating-a-request

let platform: Platform;

beforeAll(async () => {
  platform = await startIdentity({ maxKeyBytesPerApp: 200_000 });
});
afterAll(() => platform.stop());

function hash(text: string) {
  return createHash('sha256').update(text).digest();
}
function begin(appId: string, key: string, request = 'a request') {
  return platform.operations.beginOperation({ appId, keyHash: hash(key), fingerprint: hash(request) });
}

/** A text that gets smaller by a quarter at most. */
function noise(bytes: number): string {
  return JSON.stringify({ noise: randomBytes(bytes).toString('base64') });
}

async function storedBytes(appId: string): Promise<number> {
  const [row] = await platform.db.query<{ bytes: number }>({
    text: `select sum(octet_length(kept))::float8 as bytes from idempotency_key where app_id = $1`,
    values: [appId],
  });
  return row?.bytes ?? 0;
}

describe('a large answer', () => {
  const reference = '{"status":201,"path":"/messages/1"}';
  const finish = (appId: string, operationId: string, given: { answer: string; reference?: string }) =>
    platform.operations.finishOperation({ appId, keyHash: hash('key'), operationId, ...given });
  const again = (appId: string, takesReferences = true) =>
    platform.operations.beginOperation({
      ...{ appId, keyHash: hash('key'), fingerprint: hash('a request') },
      takesReferences,
    });

  test('is kept in few bytes, if it repeats itself', async () => {
    const appId = randomUUID();
    const { operationId } = await begin(appId, 'key');
    const answer = JSON.stringify(
      Array.from({ length: 10_000 }, (_, n) => ({ [`svc:///identities/${n}`]: 'sent' })),
    );
    expect((await finish(appId, operationId, { answer, reference })).answer).toBe(answer);
    expect((await again(appId)).answer).toBe(answer);
    expect(await storedBytes(appId)).toBeLessThan(answer.length / 5);
  });

  test('is kept as its reference, if it takes more than 32 KiB', async () => {
    const appId = randomUUID();
    const { operationId } = await begin(appId, 'key');
    const answer = noise(40_000);
    expect(await finish(appId, operationId, { answer, reference })).toMatchObject({ answer, reference });
    const other = { answer: '{"another":1}', reference: '{"another":2}' };
    expect(await finish(appId, operationId, other)).toMatchObject({ answer: other.answer, reference });
    expect(await again(appId)).toMatchObject({ operationId, reference });
    expect((await again(appId)).answer).toBeUndefined();
    expect(await storedBytes(appId)).toBeLessThan(200);
    // A gateway of release 0.1.0 runs the request again, and finds what it did.
    const older = await again(appId, false);
    expect([older.operationId, older.answer, older.reference]).toEqual([operationId, undefined, undefined]);
  });

  test('of which nothing else is known is kept whole', async () => {
    const appId = randomUUID();
    const { operationId } = await begin(appId, 'key');
    const answer = noise(40_000);
    expect((await finish(appId, operationId, { answer })).answer).toBe(answer);
    expect((await again(appId)).answer).toBe(answer);
  });
});

test('an answer that release 0.1.0 recorded is given, and stays', async () => {
  const appId = randomUUID();
  const { operationId } = await begin(appId, 'key');
  await platform.db.execute({
    text: `update idempotency_key set answer = $2 where app_id = $1`,
    values: [appId, answerSealer(platform.service.context).seal('{"old":1}', operationId)],
  });
  expect((await begin(appId, 'key')).answer).toBe('{"old":1}');
  const finished = { appId, keyHash: hash('key'), operationId, answer: '{"new":1}' };
  expect((await platform.operations.finishOperation(finished)).answer).toBe('{"old":1}');
});

test('an answer does not outlive a key that release 0.1.0 claims anew', async () => {
  const appId = randomUUID();
  const { operationId } = await begin(appId, 'key');
  await platform.operations.finishOperation({
    appId,
    keyHash: hash('key'),
    operationId,
    answer: '{"one":1}',
  });
  const next = randomUUID();
  await platform.db.execute({
    text: `update idempotency_key set operation_id = $2, answer = null where app_id = $1`,
    values: [appId, next],
  });
  const begun = await begin(appId, 'key');
  expect([begun.operationId, begun.answer]).toEqual([next, undefined]);
});

test('the keys of an application take no more bytes than they may, and those of others do not count', async () => {
  const most = platform.service.context.config.maxKeyBytesPerApp;
  const [loud, quiet] = [randomUUID(), randomUUID()];
  let keys = 0;
  /** Makes a key with an answer; returns its record, or that a new key is refused. */
  const record = async (appId: string, size: number) => {
    const key = `key ${++keys}`;
    try {
      const { operationId } = await begin(appId, key);
      const recorded = await platform.operations.finishOperation({
        ...{ appId, keyHash: hash(key), operationId },
        ...{ answer: noise(size), ...(size > 1_000 && { reference: '{"status":201}' }) },
      });
      return recorded.reference === undefined ? 'answer' : 'reference';
    } catch (error) {
      return problemOf(error)?.id;
    } finally {
      platform.clock.advance(6_000);
    }
  };
  const kinds = new Set<string | undefined>();
  while (!kinds.has('reference')) kinds.add(await record(loud, 20_000));
  expect(await storedBytes(loud)).toBeLessThan(most / 2 + 25_000);
  while (!kinds.has('rate_limit_exceeded')) kinds.add(await record(loud, 900));
  expect([...kinds]).toEqual(['answer', 'reference', 'rate_limit_exceeded']);
  expect(await storedBytes(loud)).toBeLessThan(most);
  await expectProblem(begin(loud, 'a new key'), 'rate_limit_exceeded', { policy: 'idempotency-keys' });
  expect((await begin(loud, 'key 1')).answer).toBeDefined();
  expect(await record(quiet, 20_000)).toBe('answer');
  platform.clock.advance(90_000_000);
  expect(await record(loud, 20_000)).toBe('answer');
}, 60_000);
