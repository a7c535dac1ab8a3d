import { create, toBinary } from '@parley/codec';
import { WITHDRAWAL_HINTS } from '@parley/domain/events';
import type { Bus } from '@parley/kit/bus';
import type { Clock } from '@parley/kit/runtime/clock';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { WithdrawalHintsSchema } from '@parley/proto/parley/live/v1/live_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';

/** Hints to the push service that pushed messages were read, hidden or deleted. docs/decisions/pushes.md#what-a-user-has-read-is-withdrawn */
export type Withdrawals = {
  /** Notes a committed change of a conversation. */
  note(event: Event): void;
  stop(): void;
};

type Hint = { appId: string; conversationId: string; userId: string };

const INTERVAL_MS = 500;
const MAX_HINTS_PER_MESSAGE = 2000;
/** The user of a hint that stands for all participants. */
const EVERYONE = '';

/** Publishes hints twice a second. One hint covers all that a user has read of a conversation since. */
export function createWithdrawals({ bus, clock }: { bus: Bus; clock: Clock }): Withdrawals {
  let noted = new Map<string, Hint>();
  let cancelTimer: (() => void) | undefined;

  function publish(): void {
    cancelTimer = undefined;
    const hints = [...noted.values()];
    noted = new Map();
    for (let at = 0; at < hints.length; at += MAX_HINTS_PER_MESSAGE) {
      const message = create(WithdrawalHintsSchema, { hints: hints.slice(at, at + MAX_HINTS_PER_MESSAGE) });
      bus.publishLive(WITHDRAWAL_HINTS, toBinary(WithdrawalHintsSchema, message));
    }
  }

  return {
    note({ appId, conversationId, body }) {
      for (const userId of usersDoneWith(body)) {
        noted.set(`${appId}/${conversationId}/${userId}`, { appId, conversationId, userId });
        cancelTimer ??= clock.setTimer(INTERVAL_MS, publish);
      }
    },
    stop() {
      cancelTimer?.();
      publish();
    },
  };
}

/** The users who may have no use for a push any more after a change. */
function usersDoneWith(body: Event['body']): readonly string[] {
  switch (body.case) {
    case 'receiptRecorded':
      return body.value.type === ReceiptType.READ ? [body.value.userId] : [];
    case 'allRead':
    case 'messageHidden':
    case 'conversationHidden':
      return [body.value.userId];
    case 'conversationUpdated':
      return body.value.removedUserIds;
    case 'messageDeleted':
    case 'conversationDeleted':
      return [EVERYONE];
    default:
      return [];
  }
}
