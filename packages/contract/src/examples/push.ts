import type { Push } from '../records/push.ts';
import { EXAMPLE } from '../schema/ids.ts';

export const PUSH: Push = {
  id: EXAMPLE.delivery,
  device_id: 'phone-1',
  provider: 'web',
  message: `svc:///messages/${EXAMPLE.message}`,
  conversation: `svc:///conversations/${EXAMPLE.conversation}`,
  status: 'delivered',
  attempt_count: 1,
  reason: null,
  created_at: '2026-11-20T20:15:30.123Z',
  next_attempt_at: null,
  settled_at: '2026-11-20T20:15:30.456Z',
};
