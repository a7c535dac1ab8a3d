import type { MessageInitShape } from '@bufbuild/protobuf';
import { partJson } from '@parley/domain/json/part';
import { invalid, isFields, optional } from '@parley/domain/parse/fields';
import { parsePartBody } from '@parley/domain/parse/part';
import { parsePartsBody } from '@parley/domain/parse/parts';
import { fail, failNotFound } from '@parley/domain/problems';
import type { Message, Part } from '@parley/proto/parley/messaging/v1/message_pb';
import type { EditPartsRequestSchema } from '@parley/proto/parley/messaging/v1/parts_service_pb';
import type { Uses } from '../context.ts';
import type { ApiRequest } from '../request/route.ts';
import { repeatableId } from '../../upstream/messaging/repeatable-id.ts';
import { messageIdOf, messageRefOf, partIdOf } from '../request/params.ts';
import { partRulesOf } from '../request/part-rules.ts';
import { claimForParts } from './claim.ts';
import type { HttpResponse } from '@parley/http/answers/response';

type Edit = NonNullable<MessageInitShape<typeof EditPartsRequestSchema>['edit']>;

export async function addPart(
  ctx: Uses<'auth' | 'content' | 'identity' | 'messaging' | 'parts' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const part = withStableId(parsePartBody(partRulesOf(ctx, request), request.body), request.body);
  await claimForParts(ctx, request, { parts: [part], place: 'single' });
  const { message, idInUse } = await edit(ctx, request, { case: 'add', value: part });
  if (idInUse) {
    const { messageId: id, conversationId } = messageRefOf(ctx, request);
    return fail('id_in_use', { data: partJson(request.view, { id, conversationId }, idInUse) });
  }
  const body = present(request, message, part.id);
  return { status: 201, headers: { location: body.url }, body };
}

export async function updatePart(
  ctx: Uses<'auth' | 'content' | 'identity' | 'messaging' | 'parts' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const part = parsePartBody(partRulesOf(ctx, request), request.body);
  const id = partIdOf(ctx, request);
  // The body may repeat the id; without one, parsing generated an id.
  if (isFields(request.body) && optional(request.body, 'id') !== undefined && part.id !== id) {
    invalid('id', 'is not that of the part.');
  }
  await claimForParts(ctx, request, { parts: [part], place: 'single' });
  const { message } = await edit(ctx, request, { case: 'update', value: { ...part, id } });
  return { status: 200, body: present(request, message, id) };
}

export async function removePart(ctx: Uses<'parts' | 'wire'>, request: ApiRequest): Promise<HttpResponse> {
  await edit(ctx, request, { case: 'remove', value: partIdOf(ctx, request) });
  return { status: 204 };
}

export async function replaceParts(
  ctx: Uses<'auth' | 'content' | 'identity' | 'messaging' | 'parts' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const parts = parsePartsBody(partRulesOf(ctx, request), request.body);
  await claimForParts(ctx, request, { parts, place: 'list' });
  const { message } = await edit(ctx, request, { case: 'replaceAll', value: { parts } });
  if (!message) return failNotFound('message', messageIdOf(ctx, request));
  return { status: 200, body: message.parts.map((part) => partJson(request.view, message, part)) };
}

/** A part without an id gets a repeatable one, so that a repeated attempt adds no second part. */
function withStableId(part: Part, body: unknown): Part {
  const isNamed = isFields(body) && optional(body, 'id') !== undefined;
  return isNamed ? part : { ...part, id: repeatableId() };
}

function edit(ctx: Uses<'parts' | 'wire'>, request: ApiRequest, change: Edit) {
  const { appId, userId } = request;
  const requestId = repeatableId();
  return ctx.parts.editParts({ appId, userId, requestId, ...messageRefOf(ctx, request), edit: change });
}

function present({ view }: ApiRequest, message: Message | undefined, partId: string) {
  const part: Part | undefined = message?.parts.find(({ id }) => id === partId);
  return message && part ? partJson(view, message, part) : failNotFound('part', partId);
}
