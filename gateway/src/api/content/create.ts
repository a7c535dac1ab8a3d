import { create } from '@parley/codec';
import { decodeFilename } from '@parley/domain/filename';
import { contentJson } from '@parley/domain/json/part';
import { fail } from '@parley/domain/problems';
import { ContentSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import { findIncarnation } from '../../upstream/content/claim.ts';
import type { Uses } from '../context.ts';
import type { ApiRequest } from '../request/route.ts';
import { conversationIdOf } from '../request/params.ts';
import type { HttpResponse } from '@parley/http/answers/response';

/** docs/protocol/uploads.md#ask-for-an-upload */
export function createContent(ctx: Uses<'content' | 'identity'>, request: ApiRequest): Promise<HttpResponse> {
  return begin(ctx, request, '');
}

export async function createContentInConversation(
  ctx: Uses<'content' | 'identity' | 'messaging' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const id = conversationIdOf(ctx, request);
  await ctx.messaging.getConversation({ appId: request.appId, id });
  return begin(ctx, request, id);
}

async function begin(
  ctx: Uses<'content' | 'identity'>,
  request: ApiRequest,
  conversationId: string,
): Promise<HttpResponse> {
  const { appId, userId, view } = request;
  const known = userId === '' ? 0 : request.incarnation;
  const userIncarnation = known ?? (await findIncarnation(ctx.identity, appId, userId));
  const created = await ctx.content.createContent({
    appId,
    userId,
    userIncarnation,
    conversationId,
    byServer: view.audience !== 'client',
    contentType: requireHeader(request, 'Upload-Content-Type'),
    size: requireLength(request),
    origin: headerOf(request, 'Upload-Origin') ?? '',
    filename: filenameOf(request),
  });
  const { id = '', size = 0 } = created.content ?? {};
  const content = create(ContentSchema, { id, size });
  const body = contentJson(view, { conversationId }, content, created.uploadUrl);
  return { status: 201, headers: { location: body.refresh_url }, body };
}

const LENGTH_HEADER = 'Upload-Content-Length';

function requireLength(request: ApiRequest): number {
  const text = requireHeader(request, LENGTH_HEADER);
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse(LENGTH_HEADER, 'must be a number of bytes.');
}

const FILENAME_HEADER = 'Upload-Content-Filename';

/** Empty: none. */
function filenameOf(request: ApiRequest): string {
  const text = headerOf(request, FILENAME_HEADER);
  if (text === undefined) return '';
  return (
    decodeFilename(text) ?? refuse(FILENAME_HEADER, 'must be a name of a file as percent-encoded UTF-8.')
  );
}

function requireHeader(request: ApiRequest, name: string): string {
  return headerOf(request, name) ?? refuse(name, 'is required.');
}

function headerOf({ headers }: ApiRequest, name: string): string | undefined {
  const text = String(headers[name.toLowerCase()] ?? '').trim();
  return text === '' ? undefined : text;
}

/** A missing or malformed upload header: docs/protocol/uploads.md#ask-for-an-upload */
function refuse(header: string, rule: string): never {
  return fail('invalid_property', { property: header, data: { header }, message: `${header} ${rule}` });
}
