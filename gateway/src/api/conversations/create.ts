import { conversationJson } from '@parley/domain/json/conversation';
import { parseConversation } from '@parley/domain/parse/conversation';
import { fail } from '@parley/domain/problems';
import {
  CreateConversationResponse_Outcome as Outcome,
  type CreateConversationResponse,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { View } from '@parley/domain/json/view';
import { runWeighed } from '../../admission/limits/run-weighed.ts';
import { patchWeight } from '../../admission/limits/weights.ts';
import { repeatableId } from '../../upstream/messaging/repeatable-id.ts';
import { idFromHeader } from '../request/id-from-header.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';
import type { Uses } from '../context.ts';

export async function createConversation(
  ctx: Uses<'limits' | 'messaging' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const draft = parseConversation(ctx.wire, request.body);
  const id = draft.id ?? idFromHeader(ctx, request, 'conversations') ?? repeatableId();
  const { appId, userId, view } = request;
  // Only a server gives roles.
  if (userId && draft.roles) return fail('invalid_property', { property: 'roles' });
  const creation = { ...draft, appId, userId, id, requestId: repeatableId() };
  const created = await runWeighed(ctx, request, {
    weight: patchWeight(draft.participantIds.length),
    work: () => ctx.messaging.createConversation(creation),
  });
  return present(view, created);
}

function present(view: View, { outcome, conversation }: CreateConversationResponse): HttpResponse {
  const body = conversation ? conversationJson(view, conversation) : undefined;
  if (outcome === Outcome.ID_IN_USE) return fail('id_in_use', { data: body });
  if (outcome === Outcome.CONFLICT) return fail('conflict', { data: body });
  const isNew = outcome === Outcome.CREATED;
  return { status: isNew ? 201 : 200, headers: isNew && body ? { location: body.url } : undefined, body };
}
