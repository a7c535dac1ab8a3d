import others from '../../jest.config.js';

/**
 * @type {import('jest').Config} Tests that run once more with the tables of messaging in four cells, of which there is one otherwise:
 * one of each kind of call, of background work, and of what several cells answer together. `PARLEY_CELLS=4 npm test` runs all of them so.
 */
export default {
  ...others,
  rootDir: '../..',
  testMatch: [
    'services/messaging/test/app-removal.test.ts',
    'services/messaging/test/conversation/creation.test.ts',
    'services/messaging/test/exporting.test.ts',
    'services/messaging/test/identity/incarnations.test.ts',
    'services/messaging/test/log/epochs.test.ts',
    'services/messaging/test/log/event-interest.test.ts',
    'services/messaging/test/log/replay.test.ts',
    'services/messaging/test/message/cached-sends.test.ts',
    'services/messaging/test/message/receipt-places.test.ts',
    'services/messaging/test/message/schedule/ended-senders.test.ts',
    'services/messaging/test/pushes.test.ts',
    'services/messaging/test/recovery.test.ts',
    'services/messaging/test/timers.test.ts',
    'test/system/conversations/messages.test.ts',
    'test/system/conversations/receipts.test.ts',
    'test/system/integrations/exports.test.ts',
    'test/system/integrations/webhook-events.test.ts',
    'test/system/live/live-changes.test.ts',
    'test/system/live/replay.test.ts',
    'test/system/users/erasure.test.ts',
    'test/system/users/visibility.test.ts',
  ].map((file) => `<rootDir>/${file}`),
};
