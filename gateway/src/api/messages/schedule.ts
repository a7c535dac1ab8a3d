import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { messageJson } from '@parley/domain/json/message';
import { scheduledMessageUrl } from '@parley/domain/json/scheduled-message';
import type { Schedule } from '@parley/domain/parse/schedule';
import { fail } from '@parley/domain/problems';
import { MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { claimContents } from '../../upstream/content/claim.ts';
import type { Uses } from '../context.ts';
import type { ApiRequest } from '../request/route.ts';
import { repeatableId } from '../../upstream/messaging/repeatable-id.ts';
import type { HttpResponse } from '@parley/http/answers/response';

type Scheduling = { draft: MessageInitShape<typeof MessageDraftSchema>; schedule: Schedule };

/** Accepts a scheduled message and gives it the ids it lacks. docs/protocol/messages.md#scheduled-messages */
export async function scheduleMessage(
  ctx: Uses<'content' | 'identity' | 'schedules'>,
  { view }: ApiRequest,
  { draft: init, schedule }: Scheduling,
): Promise<HttpResponse> {
  const draft = create(MessageDraftSchema, init);
  draft.id ||= repeatableId();
  draft.requestId ||= repeatableId();
  await claimContents(ctx, draft);
  const { outcome } = await ctx.schedules.scheduleMessage({ draft, ...schedule });
  if (outcome.case === 'duplicate') {
    const { message, receipts } = outcome.value;
    return fail('id_in_use', { data: message ? messageJson(view, message, receipts) : undefined });
  }
  return { status: 202, headers: { location: scheduledMessageUrl(view, draft.conversationId, draft.id) } };
}
