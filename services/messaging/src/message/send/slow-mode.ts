import { mayDo, DEFAULT_RULES } from '@parley/domain/policy';
import { problem } from '@parley/domain/problems';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import type { ConversationRow } from '../../sql/conversation/conversation.ts';
import { participantKey } from '../../sql/keys.ts';
import type { SendState } from '../../sql/message/send-state.ts';

/** A message that a participant sends in slow mode. `at`: milliseconds. */
export type SlowSend = { app_id: string; conversation_id: string; user_id: string; at: number };

type Sender = { conversation: Pick<ConversationRow, 'slow_mode'>; state: SendState };

/** Seconds between two messages of the sender; 0: slow mode does not concern them. */
export function slowInterval({ conversation, state }: Sender): number {
  const rules = state.rules ?? DEFAULT_RULES;
  const seconds = conversation.slow_mode ?? rules.slow_mode_in_seconds ?? 0;
  return seconds > 0 && mayDo(rules, state.participant_role, 'skip_slow_mode') ? 0 : seconds;
}

/** Notes a message of a user in slow mode. Returns the problem of one that comes too early: rate_limit_exceeded. `now`: milliseconds. */
export function takeSlowTurn(
  { slowSends }: { slowSends: Map<string, SlowSend> },
  sender: Sender,
  now: number,
): Problem | undefined {
  const seconds = slowInterval(sender);
  if (seconds === 0) return undefined;
  const { app_id, conversation_id, user_id, slow_sent_at } = sender.state;
  const key = participantKey(sender.state);
  const last = slowSends.get(key)?.at ?? slow_sent_at;
  const waitMs = last === null ? 0 : last + seconds * 1000 - now;
  if (waitMs > 0) {
    return problem('rate_limit_exceeded', {
      message: 'The conversation is in slow mode.',
      data: { policy: 'slow_mode' },
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  }
  slowSends.set(key, { app_id, conversation_id, user_id, at: now });
  return undefined;
}
