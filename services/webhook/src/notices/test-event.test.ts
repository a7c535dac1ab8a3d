import { randomUUID } from 'node:crypto';
import { NOTICES } from '@parley/contract/records/webhook-event';
import { mismatches } from '@parley/contract/testing/mismatches';
import { WEBHOOK_EVENTS } from '@parley/domain/events/webhook-events';
import { webhookBodyJson } from '@parley/domain/json/webhook-body';
import type { View } from '@parley/domain/json/view';
import { createWire } from '@parley/domain/wire';
import { statusesOfTestEvent, testNotice } from './test-event.ts';

const appId = randomUUID();
const view: View = {
  wire: createWire('svc'),
  baseUrl: 'https://chat.example.com',
  audience: 'server',
  appId,
  downloads: () => ({ url: 'https://chat.example.com/content', expiresAt: 0 }),
};

test.each(WEBHOOK_EVENTS)('the example of %s has the body of such an event, and is marked', (type) => {
  const notice = testNotice(type, { appId, id: randomUUID(), at: Date.now(), newId: randomUUID });
  const body = webhookBodyJson(view, notice, { statuses: statusesOfTestEvent(notice.event) });
  expect(mismatches(NOTICES[type], JSON.parse(JSON.stringify(body)))).toEqual([]);
  expect(body.event).toMatchObject({ type, test: true });
});
