import { createTestDatabase } from '@parley/testing';
import { createDatabase } from './index.ts';
import { createLogger } from '../runtime/telemetry/log.ts';
import { createMetrics } from '../runtime/telemetry/metrics.ts';

const HELD_MS = 50;

test('a pool measures the wait for its connections and its transactions, also those that fail', async () => {
  const metrics = createMetrics('test');
  const log = createLogger({ service: 'test', level: 'silent' });
  const url = await createTestDatabase();
  const db = createDatabase({ url, poolSize: 1, log, metrics, applicationName: 'sends' });
  const hold = { text: `select pg_sleep(${HELD_MS / 1000})` };
  try {
    await Promise.all([db.tx((tx) => tx.query(hold)), db.query({ text: 'select 1' })]);
    await expect(db.tx((tx) => tx.query({ text: 'select 1 / 0' }))).rejects.toThrow('division by zero');
  } finally {
    await db.close();
  }
  const text = await metrics.registry.metrics();
  const read = (name: string) =>
    Number(new RegExp(`^${name}\\{service="test",pool="sends"\\} (\\S+)$`, 'm').exec(text)?.[1]);
  expect(read('database_wait_seconds_count')).toBe(3);
  expect(read('database_wait_seconds_sum')).toBeGreaterThanOrEqual(HELD_MS / 1000);
  expect(read('database_transaction_seconds_count')).toBe(2);
  expect(read('database_transaction_seconds_sum')).toBeGreaterThanOrEqual(HELD_MS / 1000);
});
