import { createTestDatabase } from '@parley/testing';
import { createLogger } from '../runtime/telemetry/log.ts';
import { createDatabase, type Database } from './index.ts';
import { RecordReader } from './record-reader.ts';

let db: Database;

beforeAll(async () => {
  const log = createLogger({ service: 'test', level: 'silent' });
  db = createDatabase({ url: await createTestDatabase(), poolSize: 1, log, applicationName: 'kit-test' });
});
afterAll(() => db.close());

const rows = [
  {
    id: '0190f3a1-0000-7abc-8def-0123456789ab',
    count: 2 ** 53 - 1,
    name: 'Zoë 🦉',
    at: Date.UTC(2024, 1, 29, 12, 30, 15, 123),
    body: Buffer.from([0, 255, 92]),
  },
  { id: 'ffffffff-ffff-ffff-ffff-ffffffffffff', count: -1, name: '', at: -86_400_001, body: Buffer.alloc(0) },
];

const recordsOf = async (given: typeof rows): Promise<Uint8Array> => {
  const [found] = await db.query<{ records: Uint8Array }>({
    text: `
      select coalesce(string_agg(record_send(row(id, count, name, at, body, null::timestamptz, null::text)), null order by n), '') as records
      from rows from (
        unnest($1::uuid[]), unnest($2::int8[]), unnest($3::text[]), unnest($4::timestamptz[]), unnest($5::bytea[])
      ) with ordinality as given (id, count, name, at, body, n)`,
    values: [
      given.map(({ id }) => id),
      given.map(({ count }) => count),
      given.map(({ name }) => name),
      given.map(({ at }) => new Date(at).toISOString()),
      given.map(({ body }) => body),
    ],
  });
  return found!.records;
};

test('every field of every row comes back as it went in', async () => {
  const reader = new RecordReader(await recordsOf(rows));
  const read = [];
  while (reader.next()) {
    const row = {
      id: reader.uuid(),
      count: reader.int8(),
      name: reader.text(),
      at: reader.time(),
      body: Buffer.from(reader.bytea()!),
    };
    expect([reader.time(), reader.text()]).toEqual([undefined, undefined]);
    read.push(row);
  }
  expect(read).toEqual(rows);
});

test('an empty list of rows is encoded and decoded', async () => {
  expect(new RecordReader(await recordsOf([])).next()).toBe(false);
});
