import { createTestDatabase } from '@parley/testing';
import fc from 'fast-check';
import { createLogger } from '../runtime/telemetry/log.ts';
import { createDatabase, type Database } from './index.ts';
import { arrayText } from './array-text.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let db: Database;

beforeAll(async () => {
  db = createDatabase({ url: await createTestDatabase(), poolSize: 1, log, applicationName: 'arrays' });
});
afterAll(() => db.close());

const text = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', 'NULL', 'null', '{}', '"', '\\', '\\"', 'a,b', ' ', '\n', "'"),
  )
  .map((value) => value.replaceAll('\0', ''));
const arrays = {
  text,
  uuid: fc.uuid(),
  int8: fc.maxSafeInteger(),
  // Numbers of every size, which is what `fc.double` gives.
  // eslint-disable-next-line no-restricted-properties
  float8: fc.double({ noNaN: true }),
  boolean: fc.boolean(),
  bytea: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
};

test.each(Object.entries(arrays))('Postgres reads an array of %s as it was given', async (type, element) => {
  const array = fc.array(fc.option<unknown>(element as fc.Arbitrary<unknown>), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(array, async (values) => {
      expect(arrayText(values)).toBeDefined();
      const [row] = await db.query<{ read: unknown[] }>({
        text: `select $1::${type}[] as read`,
        values: [values],
      });
      expect(row!.read.map((value) => (Object.is(value, -0) ? 0 : value))).toEqual(
        values.map((value) => (Object.is(value, -0) ? 0 : value)),
      );
    }),
    { numRuns: 60 },
  );
});

test('a part of a larger buffer is sent alone', () => {
  expect(arrayText([new Uint8Array([1, 2, 3, 4]).subarray(1, 3)])).toBe(String.raw`{"\\x0203"}`);
});

test('other elements are left to the driver', async () => {
  const moment = new Date('2026-01-02T03:04:05.006Z');
  expect(arrayText([moment])).toBeUndefined();
  expect(arrayText([['a']])).toBeUndefined();
  const [row] = await db.query({
    text: 'select $1::timestamptz[] as times, $2::text[] as nested',
    values: [[moment], [['a', 'b']]],
  });
  expect(row).toEqual({ times: [moment.getTime()], nested: [['a', 'b']] });
});
