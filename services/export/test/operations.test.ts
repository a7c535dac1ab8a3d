import { randomUUID } from 'node:crypto';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { problemOf } from '@parley/domain/problems';
import { keys, untilCompleted } from './support/open.ts';
import { startExports, type TestExports } from './support/service.ts';

let clock: TestClock;
let service: TestExports;
/** Exports for which a cut was fixed. */
const cuts: string[] = [];

beforeAll(async () => {
  clock = createTestClock(Date.UTC(2030, 0, 1));
  const fixCut = ({ cutId }: { cutId: string }) => {
    cuts.push(cutId);
    return {};
  };
  service = await startExports({
    clock,
    source: { fixCut, exportConversations: none, exportMessages: none },
  });
}, 120_000);
afterAll(() => service.stop());

async function* none() {}

test('a repeated historical request returns the same export; another request is refused', async () => {
  const appId = randomUUID();
  await service.exports.registerKey({ appId, publicKey: keys.publicKey });
  const call = { headers: { 'x-operation-id': randomUUID() } };
  const attempts = [1, 2, 3].map(() => service.exports.requestExport({ appId }, call));
  const made = await Promise.all(attempts);
  expect(new Set(made.map(({ export: one }) => one?.id)).size).toBe(1);
  expect((await service.exports.listExports({ appId })).exports).toHaveLength(1);
  const refused = await service.exports.requestExport({ appId }).catch((error: unknown) => problemOf(error));
  expect(refused).toMatchObject({ id: 'invalid_operation' });
}, 120_000);

test('repeating a request after its export is complete fixes no second cut', async () => {
  const appId = randomUUID();
  await service.exports.registerKey({ appId, publicKey: keys.publicKey });
  const call = { headers: { 'x-operation-id': randomUUID() } };
  const { export: first } = await service.exports.requestExport({ appId }, call);
  await untilCompleted(service, appId, first!.id);
  // Runs of other exports make cuts of their own.
  const made = () => cuts.filter((id) => id === first?.id).length;
  const before = made();
  const { export: repeated } = await service.exports.requestExport({ appId }, call);
  expect(repeated?.id).toBe(first?.id);
  expect(made()).toBe(before);
}, 120_000);
