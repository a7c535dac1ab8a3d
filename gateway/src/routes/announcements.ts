import { announcementJson, receivedAnnouncementJson } from '@parley/domain/json/announcement';
import { parseUri } from '@parley/domain/ids';
import { limits } from '@parley/domain/limits';
import { parseAnnouncement } from '@parley/domain/parse/announcement';
import { parsePage } from '@parley/domain/parse/page';
import { parseReceiptType } from '@parley/domain/parse/receipt';
import { fail } from '@parley/domain/problems';
import type { ReceivedAnnouncement } from '@parley/proto/parley/announcement/v1/announcement_pb';
import { answerList } from '../answers/list.ts';
import { readPieces, type PagedList } from '../answers/pieces.ts';
import { claimContents } from '../content/claim.ts';
import type { GatewayContext } from '../context.ts';
import type { ApiRequest, Handler, Route } from './route.ts';
import { repeatableId } from '../messaging/repeatable-id.ts';
import { announcementWeight } from '../limits/weights.ts';
import { idFromHeader } from './id-from-header.ts';
import { partRulesOf } from './parts/rules.ts';

/** The announcement in the path, of the user who asks. Problems: not_found. */
function ownOf({ wire }: GatewayContext, { appId, userId, params }: ApiRequest) {
  const id = parseUri(wire, 'announcements', params['announcement_id'] ?? '') ?? fail('not_found');
  return { appId, userId, id };
}

const PAGES = { kind: 'announcements', max: limits.announcementPage } as const;

const listAnnouncements: Handler = async (ctx, request) => {
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
  return answerList(ctx, request, () => readPieces(list, page));
};

const getAnnouncement: Handler = async (ctx, request) => {
  const { received } = await ctx.announcement.getReceivedAnnouncement(ownOf(ctx, request));
  return { status: 200, body: receivedAnnouncementJson(request.view, received ?? fail('not_found')) };
};

const deleteAnnouncement: Handler = async (ctx, request) => {
  await ctx.announcement.deleteReceivedAnnouncement(ownOf(ctx, request));
  return { status: 204 };
};

export const recordAnnouncementReceipt: Handler = async (ctx, request) => {
  const type = parseReceiptType(request.body);
  await ctx.announcement.recordAnnouncementReceipt({ ...ownOf(ctx, request), type });
  return { status: 204 };
};

const createAnnouncement: Handler = async (ctx, request) => {
  const { appId, view } = request;
  const input = parseAnnouncement(partRulesOf(ctx, request), request.body);
  const { id, senderId, recipients, parts, notification } = input;
  request.weigh(announcementWeight(recipients.length));
  const announcementId = id ?? idFromHeader(ctx, request, 'announcements') ?? repeatableId();
  // Content knows an announcement as a message in a conversation of its own.
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
};

const one = '/announcements/:announcement_id';

export const announcements: Route[] = [
  {
    method: 'GET',
    path: '/announcements',
    auth: 'session',
    kind: 'list',
    summary: 'List announcements',
    handle: listAnnouncements,
  },
  { method: 'GET', path: one, auth: 'session', summary: 'Get an announcement', handle: getAnnouncement },
  {
    method: 'DELETE',
    path: one,
    auth: 'session',
    summary: 'Delete an announcement',
    handle: deleteAnnouncement,
  },
  {
    method: 'POST',
    path: `${one}/receipts`,
    auth: 'session',
    summary: 'Send an announcement receipt',
    handle: recordAnnouncementReceipt,
  },
];

export const serverAnnouncements: Route[] = [
  {
    method: 'POST',
    path: '/apps/:app_uuid/announcements',
    auth: 'bearer',
    kind: 'announcement',
    tooLarge: 'The request is larger than 1 MB: send the announcement in batches of recipients.',
    summary: 'Send an announcement',
    handle: createAnnouncement,
  },
];
