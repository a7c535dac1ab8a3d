import { newId } from '@parley/domain/ids';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { runInContext } from '@parley/kit/runtime/request-context';
import type { ClaimRequest } from '@parley/outbound/turns/claim';
import { createDispatcher } from '@parley/outbound/turns/dispatcher';
import { claimDeliveries } from '../src/sql/delivery-claim.ts';
import { startWebhooks, type Platform } from './support/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startWebhooks();
});
afterAll(() => platform.stop());

test('work that a request wakes is not bound to the request’s deadline', async () => {
  const log = createLogger({ service: 'webhook', level: 'silent' });
  const warnings: unknown[] = [];
  log.warn = (fields: unknown) => void warnings.push(fields);
  const attempt = () => Promise.resolve({ quick: true });
  const { db, clock } = platform.ctx;
  const claimDue = (request: ClaimRequest) =>
    claimDeliveries(db, { worker: newId(), now: clock.now(), ...request });
  const releaseOthers = () => Promise.resolve();
  const late = { requestId: 'r', deadline: performance.now() - 1 };
  const dispatcher = runInContext(late, () =>
    createDispatcher({ log, clock, attempt, claimDue, releaseOthers }),
  );
  await dispatcher.stop();
  expect(warnings).toEqual([]);
});
