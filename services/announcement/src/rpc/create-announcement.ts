import { fail } from '@parley/domain/problems';
import { holdOffErasures } from '@parley/kit/postgres/erasure-barrier';
import type { Tx } from '@parley/kit/postgres';
import type {
  CreateAnnouncementRequest,
  CreateAnnouncementResponseSchema,
} from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import type { Context } from '../context.ts';
import {
  encodeBody,
  findAnnouncement,
  insertAnnouncement,
  toAnnouncement,
  type AnnouncementRow,
} from '../sql/announcement.ts';
import { listErasedUserIds } from '../sql/erasure.ts';
import { insertFanOut, type FanOutRow } from '../sql/fan-out.ts';
import type { Answer } from './answer.ts';

/** More recipients than that are not named to each other. */
const MAX_NAMED_RECIPIENTS = 100;
/** Recipients who get an announcement in one transaction. */
const SLICE_SIZE = 1000;
/** Skipped recipients that the audit log names. */
const MAX_NAMED_SKIPPED_USERS = 100;

/** Once this answers, the announcement and all of its recipients are on record. */
export async function createAnnouncement(
  ctx: Context,
  request: CreateAnnouncementRequest,
  wakeFanOut: () => void,
): Answer<typeof CreateAnnouncementResponseSchema> {
  const audience = await findAudience(ctx, request);
  const row = toRow(ctx, request, audience.recipients);
  const existing = await ctx.db.tx((tx) => store(ctx, tx, row, audience));
  const senders = await ctx.senders.find(request.appId, [(existing ?? row).sender_id]);
  const announcement = toAnnouncement(existing ?? row, senders.get((existing ?? row).sender_id));
  if (existing && existing.request_id !== request.requestId) return { announcement, idInUse: true };
  wakeFanOut();
  return { announcement: { ...announcement, recipientUserIds: audience.recipients } };
}

type Audience = {
  recipients: string[];
  skipped: string[];
  /** Incarnations of the sender and the recipients who were erased and came back. */
  incarnations: ReadonlyMap<string, number>;
};

/** Problems: not_found without the sender; invalid_property without any recipient. */
async function findAudience(ctx: Context, request: CreateAnnouncementRequest): Promise<Audience> {
  const { appId, senderUserId, recipientUserIds } = request;
  const requested = new Set(recipientUserIds);
  const wanted = { appId, userIds: [...requested, senderUserId] };
  const { userIds, returned } = await ctx.identity.findUnknownUsers(wanted);
  const unknown = new Set(userIds);
  if (unknown.has(senderUserId)) return failWithoutSender();
  const recipients = [...requested].filter((userId) => !unknown.has(userId));
  const skipped = [...requested].filter((userId) => unknown.has(userId));
  const incarnations = new Map(returned.map(({ userId, incarnation }) => [userId, incarnation]));
  if (recipients.length > 0) return { recipients, skipped, incarnations };
  return fail('invalid_property', { property: 'recipients', message: 'none of the recipients exists' });
}

function failWithoutSender(): never {
  return fail('not_found', { message: 'the sender does not exist' });
}

function toRow(ctx: Context, request: CreateAnnouncementRequest, recipients: string[]): AnnouncementRow {
  return {
    app_id: request.appId,
    id: request.id,
    request_id: request.requestId,
    sender_id: request.senderUserId,
    sent_at: ctx.clock.now(),
    body: encodeBody(request),
    named_recipients: recipients.length <= MAX_NAMED_RECIPIENTS ? recipients : [],
  };
}

/** The announcement that has this id already; undefined: it is stored now. */
async function store(
  ctx: Context,
  tx: Tx,
  row: AnnouncementRow,
  { recipients, skipped, incarnations }: Audience,
): Promise<AnnouncementRow | undefined> {
  const sender_incarnation = incarnations.get(row.sender_id) ?? 0;
  await holdOffErasures(tx, [row.app_id]);
  const sender = { userId: row.sender_id, incarnation: sender_incarnation };
  // Erased since identity was asked: no erasure would withdraw the announcement any more.
  if ((await listErasedUserIds(tx, row.app_id, [sender])).size > 0) return failWithoutSender();
  if (!(await insertAnnouncement(tx, { ...row, recipient_count: recipients.length, sender_incarnation }))) {
    return findAnnouncement(tx, { appId: row.app_id, id: row.id, withdrawn: true });
  }
  await insertFanOut(tx, toSlices(row, recipients, incarnations));
  const value = {
    announcementId: row.id,
    senderUserId: row.sender_id,
    recipientCount: recipients.length,
    skippedCount: skipped.length,
    skippedUserIds: skipped.slice(0, MAX_NAMED_SKIPPED_USERS),
  };
  await ctx.emit(tx, { appId: row.app_id, body: { case: 'announcementCreated', value } });
  return undefined;
}

function toSlices(
  { app_id, id, sent_at }: AnnouncementRow,
  recipients: string[],
  incarnations: ReadonlyMap<string, number>,
): FanOutRow[] {
  const slices: FanOutRow[] = [];
  for (let first = 0; first < recipients.length; first += SLICE_SIZE) {
    const user_ids = recipients.slice(first, first + SLICE_SIZE);
    const returned_user_ids = user_ids.filter((userId) => incarnations.has(userId));
    const returned = {
      returned_user_ids,
      returned_incarnations: returned_user_ids.map((userId) => incarnations.get(userId) ?? 0),
    };
    slices.push({ app_id, announcement_id: id, slice: slices.length, sent_at, user_ids, ...returned });
  }
  return slices;
}
