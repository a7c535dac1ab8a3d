import { newId } from '@parley/domain/ids';
import { createLogger } from '@parley/kit/telemetry/log';
import { runInContext } from '@parley/kit/request-context';
import { createDispatcher } from '../src/delivery/dispatcher.ts';
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
  const late = { requestId: 'r', deadline: Date.now() - 1 };
  const dispatcher = runInContext(late, () => createDispatcher({ ...platform.ctx, log }, newId(), attempt));
  await dispatcher.stop();
  expect(warnings).toEqual([]);
});
