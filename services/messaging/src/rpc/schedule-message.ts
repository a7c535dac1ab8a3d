import { create } from '@parley/codec';
import { limits } from '@parley/contract/limits';
import { fail, failWith } from '@parley/domain/problems';
import { MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { ScheduleMessageRequest } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import type { Context } from '../context.ts';
import { showDuplicate } from '../message/view.ts';
import { acceptScheduled, type ScheduleOutcome } from '../message/schedule/accept.ts';
import { toScheduledMessage } from '../message/schedule/record.ts';
import type { RpcContext } from './rpc-context.ts';
import { createOutgoingMessage, findDraftProblem, type OutgoingMessage } from '../message/send/outgoing.ts';

/**
 * Stores the message before it answers, so that it is sent even if this process ends. Like a change of the conversation
 * it uses its application's share of the connections, and none of the connections of sends.
 * docs/protocol/messages.md#scheduled-messages
 */
export async function scheduleMessage(ctx: RpcContext, request: ScheduleMessageRequest) {
  const item = createOutgoingMessage({ ...(request.draft ?? create(MessageDraftSchema)), byServer: true });
  const fault = findDraftProblem(item);
  if (fault) return failWith(fault);
  const { delayMs, typingMs = null } = request;
  requireSeconds('delay_in_seconds', delayMs, limits.maxDelaySeconds * 1000);
  if (typingMs !== null) requireSeconds('typing_indicator_in_seconds', typingMs, delayMs);
  const accepted = await acceptScheduled(ctx, { item, delayMs, typingMs });
  if (accepted.kind === 'scheduled') ctx.schedules.add(accepted.row);
  return answer(ctx, item, accepted);
}

function requireSeconds(name: string, ms: number, most: number): void {
  if (!(ms >= limits.minDelaySeconds * 1000 && ms <= most)) {
    fail('invalid_property', { property: `schedule.${name}` });
  }
}

async function answer(ctx: Context, { draft }: OutgoingMessage, accepted: ScheduleOutcome) {
  switch (accepted.kind) {
    case 'scheduled':
      return { outcome: { case: 'scheduled' as const, value: toScheduledMessage(accepted.row) } };
    case 'repeated':
      // An earlier attempt of the same call scheduled it, and it was sent since.
      return { outcome: { case: 'scheduled' as const, value: { draft } } };
    case 'duplicate': {
      const { appId, id } = draft;
      const value = await ctx.shares.run(appId, () => showDuplicate(ctx, { appId, id, userId: '' }));
      return { outcome: { case: 'duplicate' as const, value } };
    }
    case 'problem':
      return failWith(accepted.problem);
    case 'unknown sender':
    case 'non-participant sender':
      throw new Error('the sender of a message could not be resolved');
  }
}
