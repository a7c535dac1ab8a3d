import { announcementJson, receivedAnnouncementJson } from '@parley/domain/json/announcement';
import { limits } from '@parley/contract/limits';
import { parseAnnouncement } from '@parley/domain/parse/announcement';
import { parsePage } from '@parley/domain/parse/page';
import { parseReceiptType } from '@parley/domain/parse/receipt';
import { fail, failNotFound } from '@parley/domain/problems';
import type { ReceivedAnnouncement } from '@parley/proto/parley/announcement/v1/announcement_pb';
import { respondWithList } from '@parley/http/answers/list';
import { readChunks, type PagedList } from '@parley/http/answers/chunks';
import { claimContents } from '../upstream/content/claim.ts';
import type { Uses } from './context.ts';
import { pathIdOf } from './request/params.ts';
import type { ApiRequest } from './request/route.ts';
import { repeatableId } from '../upstream/messaging/repeatable-id.ts';
import { announcementWeight } from '../admission/limits/weights.ts';
import { idFromHeader } from './request/id-from-header.ts';
import { partRulesOf } from './request/part-rules.ts';
import type { HttpResponse } from '@parley/http/answers/response';

/** The announcement in the path, as received by the user. Problems: not_found. */
function ownOf({ wire }: Uses<'wire'>, { appId, userId, params }: ApiRequest) {
  return { appId, userId, id: pathIdOf(wire, params, 'announcement') };
}

const PAGES = { kind: 'announcements', max: limits.announcementPage } as const;

export async function listAnnouncements(
  ctx: Uses<'announcement' | 'responseSlots' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, userId, view, query } = request;
  const list: PagedList<ReceivedAnnouncement> = {
    async ask(wanted) {
      const found = await ctx.announcement.listReceivedAnnouncements({ appId, userId, ...wanted });
      return { records: found.received, total: found.total, hasMore: found.hasMore };
    },
    idOf: ({ announcement }) => announcement?.id ?? '',
    render: (records) => records.map((one) => receivedAnnouncementJson(view, one)),
  };
  const page = parsePage(ctx.wire, query, PAGES);
  return respondWithList(ctx, request, () => readChunks(list, page));
}

export async function getAnnouncement(
  ctx: Uses<'announcement' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const own = ownOf(ctx, request);
  const { received = failNotFound('announcement', own.id) } =
    await ctx.announcement.getReceivedAnnouncement(own);
  return { status: 200, body: receivedAnnouncementJson(request.view, received) };
}

export async function deleteAnnouncement(
  ctx: Uses<'announcement' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  await ctx.announcement.deleteReceivedAnnouncement(ownOf(ctx, request));
  return { status: 204 };
}

export async function recordAnnouncementReceipt(
  ctx: Uses<'announcement' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const type = parseReceiptType(request.body);
  await ctx.announcement.recordAnnouncementReceipt({ ...ownOf(ctx, request), type });
  return { status: 204 };
}

export async function createAnnouncement(
  ctx: Uses<'announcement' | 'auth' | 'content' | 'identity' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, view } = request;
  const input = parseAnnouncement(partRulesOf(ctx, request), request.body);
  const { id, senderId, recipients, parts, notification } = input;
  request.weigh(announcementWeight(recipients.length));
  const announcementId = id ?? idFromHeader(ctx, request, 'announcements') ?? repeatableId();
  // The content service treats an announcement as a message in its own conversation.
  const claimant = { appId, id: announcementId, conversationId: announcementId, senderId, parts };
  await claimContents(ctx, claimant);
  const { announcement, idInUse } = await ctx.announcement.createAnnouncement({
    appId,
    id: announcementId,
    requestId: repeatableId(),
    senderUserId: senderId,
    recipientUserIds: recipients,
    parts,
    ...(notification && { notification }),
  });
  const body = announcement && announcementJson(view, announcement);
  return idInUse ? fail('id_in_use', { data: body }) : { status: 202, body };
}
