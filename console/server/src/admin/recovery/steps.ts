import { callInHalves } from '@parley/kit/rpc/byte-budget';
import type { ContentMessage } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import {
  readCursor,
  writeCursor,
  type Services,
  type Step,
  type StepResult,
  type StepStart,
} from './step.ts';

/** Between the moment of a database and the clocks of the processes. */
const MARGIN_MS = 60_000;
const MAX_NOTES = 100;

const NOTHING_LEFT: StepResult = { counts: {}, cursor: '' };

async function begin({ messaging }: Services): Promise<StepResult> {
  await messaging.beginRecovery({});
  return { counts: { 'stream emptied; it is filled from the logs': 1 }, cursor: '' };
}

async function repeatJournal(
  { identity, learnRevocations }: Services,
  { since, cursor: after }: StepStart,
): Promise<StepResult> {
  const answer = await identity.repeatJournal({ since, after });
  if (answer.isMissing) {
    const note = 'No journal is kept: erasures, suspensions and revocations after the moment are undone.';
    return { counts: {}, notes: [note], cursor: '' };
  }
  await learnRevocations();
  const counts = {
    'acts repeated': answer.repeatedCount,
    'acts about what is not there any more, or without effect': answer.withoutObjectCount,
  };
  return { counts, cursor: answer.last };
}

async function raiseVersions({ identity }: Services): Promise<StepResult> {
  await identity.raiseVersions({});
  return { counts: { 'sequences raised': 1 }, cursor: '' };
}

async function identities({ identity, messaging }: Services, { cursor }: StepStart): Promise<StepResult> {
  const [afterAppId = '', afterUserId = ''] = readCursor(cursor, 'uuid', 'text');
  const { copies } = await messaging.listIdentityCopies({ afterAppId, afterUserId });
  const last = copies.at(-1);
  if (!last) return NOTHING_LEFT;
  const answer = await identity.adoptIdentities({ copies });
  const counts = {
    'users created again': answer.createdCount,
    'users whose copies follow again': answer.renewedCount,
    'users erased again': answer.erasedCount,
    'users of lost applications': answer.withoutAppCount,
  };
  return { counts, cursor: writeCursor(last.appId, last.userId) };
}

async function blocks({ identity, messaging }: Services, { cursor }: StepStart): Promise<StepResult> {
  const keys = readCursor(cursor, 'uuid', 'text', 'text');
  const [afterAppId = '', afterBlockedUserId = '', afterOwnerUserId = ''] = keys;
  const { copies } = await messaging.listBlockCopies({ afterAppId, afterBlockedUserId, afterOwnerUserId });
  const last = copies.at(-1);
  if (!last) return NOTHING_LEFT;
  const { adoptedCount } = await identity.adoptBlocks({ copies });
  const next = writeCursor(last.appId, last.blockedUserId, last.ownerUserId);
  return { counts: { 'blocks taken over': adoptedCount }, cursor: next };
}

async function memberships({ identity, messaging }: Services, { cursor }: StepStart): Promise<StepResult> {
  const [afterAppId = '', afterConversationId = ''] = readCursor(cursor, 'uuid', 'uuid');
  const known = await identity.listKnownConversations({ afterAppId, afterConversationId });
  const last = known.conversations.at(-1);
  if (!last) return NOTHING_LEFT;
  const { conversations } = await messaging.listShorterConversations({ conversations: known.conversations });
  const { takenBackCount = 0 } =
    conversations.length > 0 ? await identity.takeBackMemberships({ conversations }) : {};
  const next = writeCursor(last.appId, last.conversationId);
  return { counts: { 'memberships taken back': takenBackCount }, cursor: next };
}

async function contents(services: Services, { since, cursor }: StepStart): Promise<StepResult> {
  const keys = readCursor(cursor, 'uuid', 'uuid', 'whole number');
  const [afterAppId = '', afterConversationId = '', afterSeq = ''] = keys;
  const request = { since: since - MARGIN_MS, afterAppId, afterConversationId, afterSeq: Number(afterSeq) };
  const { messages, last } = await services.messaging.listContentMessages(request);
  const next = last ? writeCursor(last.appId, last.conversationId, String(last.seq)) : '';
  return { ...(await adoptContents(services, messages)), cursor: next };
}

async function releasedContents(services: Services, { since, cursor }: StepStart): Promise<StepResult> {
  const [afterAppId = '', afterId = ''] = readCursor(cursor, 'uuid', 'uuid');
  const request = { since: since - MARGIN_MS, afterAppId, afterId };
  const { messages: released } = await services.content.listReleasedMessages(request);
  const last = released.at(-1);
  if (!last) return NOTHING_LEFT;
  const { messages } = await services.messaging.findContentMessages({ messages: released });
  return { ...(await adoptContents(services, messages)), cursor: writeCursor(last.appId, last.id) };
}

async function adoptContents(
  services: Services,
  messages: readonly ContentMessage[],
): Promise<Pick<StepResult, 'counts' | 'notes'>> {
  const kept = await withoutErased(services, messages);
  if (kept.length === 0) return { counts: {} };
  const answer = await services.content.adoptContents({ messages: kept });
  const counts = {
    'references to contents made sure': answer.referredCount,
    'contents entered again': answer.enteredCount,
    'contents lost': answer.missingIds.length,
  };
  const notes = answer.missingIds.slice(0, MAX_NOTES).map((id) => `The content ${id} of a message is lost.`);
  return { counts, notes };
}

/** Without messages of users who were erased since: their contents must not come back, though messaging may not have deleted them yet. */
async function withoutErased(
  { users }: Services,
  messages: readonly ContentMessage[],
): Promise<ContentMessage[]> {
  const kept: ContentMessage[] = [];
  for (const [appId, own] of Map.groupBy(messages, (message) => message.appId)) {
    const userIds = [...new Set(own.map(({ senderId }) => senderId))];
    const found = await callInHalves(userIds, async (some) => {
      return (await users.findIdentities({ appId, userIds: some })).identities;
    });
    const incarnations = new Map(found.map(({ userId, incarnation }) => [userId, incarnation]));
    kept.push(
      ...own.filter(
        ({ senderId, senderIncarnation }) => senderIncarnation >= (incarnations.get(senderId) ?? 0),
      ),
    );
  }
  return kept;
}

/** In the order in which they are done. Identity's own losses are repeated before anything is compared with it. */
export const STEPS: ReadonlyMap<string, Step> = new Map([
  ['events', begin],
  ['journal', repeatJournal],
  ['versions', raiseVersions],
  ['identities', identities],
  ['blocks', blocks],
  ['memberships', memberships],
  ['contents', contents],
  ['released contents', releasedContents],
]);
