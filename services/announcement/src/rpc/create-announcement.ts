import { limits } from '@parley/contract/limits';
import { fail, failNotFound } from '@parley/domain/problems';
import { holdOffErasures } from '@parley/kit/postgres/erasure-barrier';
import type { Tx } from '@parley/kit/postgres';
import type {
  CreateAnnouncementRequest,
  CreateAnnouncementResponseSchema,
} from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import type { Context } from '../context.ts';
import type { RpcContext } from './rpc-context.ts';
import {
  encodeBody,
  findAnnouncement,
  insertAnnouncement,
  rowOf,
  toAnnouncement,
  type AnnouncementRow,
  type NewAnnouncement,
} from '../sql/announcement.ts';
import { listErasedUserIds } from '../sql/erasure.ts';
import { insertFanOut, type NewSlice } from '../sql/fan-out.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Recipients of one transaction of the fan-out. */
const SLICE_SIZE = 1000;
/** Skipped recipients that the audit log names. */
const MAX_NAMED_SKIPPED_USERS = 100;

/** Stores an announcement with all its recipients; the fan-out delivers it afterwards. */
export async function createAnnouncement(
  ctx: RpcContext,
  request: CreateAnnouncementRequest,
): RpcResponse<typeof CreateAnnouncementResponseSchema> {
  const audience = await findAudience(ctx, request);
  const wanted = toNewAnnouncement(ctx, request, audience);
  const existing = await ctx.db.tx((tx) => store(ctx, tx, wanted, audience));
  const row = existing ?? rowOf(wanted);
  const senders = await ctx.senders.find(request.appId, [row.sender_id]);
  const announcement = toAnnouncement(row, senders.get(row.sender_id));
  if (row.request_id !== request.requestId) return { announcement, idInUse: true };
  ctx.wakers.fanOut();
  return { announcement: { ...announcement, recipientUserIds: audience.recipients } };
}

type Audience = {
  recipients: string[];
  skipped: string[];
  /** Incarnations of those among the sender and the recipients who were erased and came back. */
  incarnations: ReadonlyMap<string, number>;
};

/** Problems: not_found if the sender does not exist; invalid_property if no recipient exists. */
async function findAudience(ctx: Context, request: CreateAnnouncementRequest): Promise<Audience> {
  const { appId, senderUserId, recipientUserIds } = request;
  const requested = new Set(recipientUserIds);
  const wanted = { appId, userIds: [...requested, senderUserId] };
  const { userIds, returned } = await ctx.identity.findUnknownUsers(wanted);
  const unknown = new Set(userIds);
  if (unknown.has(senderUserId)) return failWithoutSender(senderUserId);
  const recipients = [...requested].filter((userId) => !unknown.has(userId));
  const skipped = [...requested].filter((userId) => unknown.has(userId));
  const incarnations = new Map(returned.map(({ userId, incarnation }) => [userId, incarnation]));
  if (recipients.length > 0) return { recipients, skipped, incarnations };
  return fail('invalid_property', { property: 'recipients', message: 'None of the recipients exists.' });
}

function failWithoutSender(senderUserId: string): never {
  return failNotFound('identity', senderUserId, { property: 'sender_id' });
}

function toNewAnnouncement(
  ctx: Context,
  request: CreateAnnouncementRequest,
  { recipients, incarnations }: Audience,
): NewAnnouncement {
  return {
    appId: request.appId,
    id: request.id,
    requestId: request.requestId,
    senderId: request.senderUserId,
    senderIncarnation: incarnations.get(request.senderUserId) ?? 0,
    sentAt: ctx.clock.now(),
    body: encodeBody(request),
    recipientCount: recipients.length,
    namedRecipients: recipients.length <= limits.namedRecipients ? recipients : [],
  };
}

/** Stores an announcement; answers the existing one when its id is in use. */
async function store(
  ctx: Context,
  tx: Tx,
  announcement: NewAnnouncement,
  audience: Audience,
): Promise<AnnouncementRow | undefined> {
  const { appId, id, senderId, senderIncarnation } = announcement;
  const { recipients, skipped } = audience;
  await holdOffErasures(tx, [appId]);
  const sender = { userId: senderId, incarnation: senderIncarnation };
  // Erased after identity answered: the erasure is over and would not withdraw this announcement.
  if ((await listErasedUserIds(tx, appId, [sender])).size > 0) return failWithoutSender(senderId);
  if (!(await insertAnnouncement(tx, announcement))) {
    return findAnnouncement(tx, { appId, id, withdrawn: true });
  }
  await insertFanOut(tx, toSlices(announcement, audience));
  const value = {
    announcementId: id,
    senderUserId: senderId,
    recipientCount: recipients.length,
    skippedCount: skipped.length,
    skippedUserIds: skipped.slice(0, MAX_NAMED_SKIPPED_USERS),
  };
  await ctx.emit(tx, { appId, body: { case: 'announcementCreated', value } });
  return undefined;
}

function toSlices(
  { appId, id, sentAt }: NewAnnouncement,
  { recipients, incarnations }: Audience,
): NewSlice[] {
  const slices: NewSlice[] = [];
  for (let first = 0; first < recipients.length; first += SLICE_SIZE) {
    const userIds = recipients.slice(first, first + SLICE_SIZE);
    const returnedUserIds = userIds.filter((userId) => incarnations.has(userId));
    slices.push({
      appId,
      announcementId: id,
      slice: slices.length,
      sentAt,
      userIds,
      returnedUserIds,
      returnedIncarnations: returnedUserIds.map((userId) => incarnations.get(userId) ?? 0),
    });
  }
  return slices;
}
