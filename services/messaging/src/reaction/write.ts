import { create } from '@parley/codec';
import type { Sql, Tx } from '@parley/kit/postgres';
import {
  HiddenNamesSchema,
  ReactionChangeSchema,
  ReactionPushSchema,
  type HiddenNames,
} from '@parley/proto/parley/event/v1/event_pb';
import { MessageReactionSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../context.ts';
import { addChange, createEmission, type Change } from '../log/append.ts';
import { updateConversations, type ConversationRow } from '../sql/conversation/conversation.ts';
import { markSideTable } from '../sql/conversation/side-tables.ts';
import { conversationKey } from '../sql/keys.ts';
import {
  deleteReactions,
  insertPushedReactions,
  insertReactions,
  type ReactionOwner,
} from '../sql/message/reaction.ts';
import {
  deleteReactionCounts,
  listNameBlockers,
  upsertReactionCounts,
  type NameBlockerRow,
} from '../sql/message/reaction-count.ts';
import { write, writeLast, type Statement } from '../sql/statement.ts';
import { netChangeOf, type NetChange } from './counts.ts';
import { keyOfOwner, type LoadedReactions } from './load.ts';
import type { MessageReactions, PlannedChange, PlannedPush } from './plan.ts';

export type PlannedReactions = LoadedReactions & {
  /** Locked, by conversationKey. */
  conversations: ReadonlyMap<string, ConversationRow>;
  /** Whether another service awaits the events of an application. */
  isAwaited(this: void, appId: string): boolean;
};

type Net = { conversation: ConversationRow; reactions: MessageReactions; net: NetChange };

/**
 * Writes what is planned as the last of the transaction, with one change for each message. Returns the conversations that it changes, each
 * once.
 */
export async function writeReactions(
  ctx: Context,
  tx: Tx,
  planned: PlannedReactions,
): Promise<ConversationRow[]> {
  const written = await prepareReactions(ctx, tx, planned);
  if (!written) return [];
  const emission = createEmission(ctx, written.changes);
  writeLast(tx, [...written.statements, ...emission.statements]);
  tx.afterCommit(emission.publish, emission.doubt);
  return [...written.conversations];
}

/** Writes what is planned in a transaction that goes on. */
export async function writeReactionsWithin(ctx: Context, tx: Tx, planned: PlannedReactions): Promise<void> {
  const written = await prepareReactions(ctx, tx, planned);
  if (!written) return;
  const emission = createEmission(ctx, written.changes);
  await write(tx, [...written.statements, ...emission.statements]);
  tx.afterCommit(emission.publish, emission.doubt);
}

type Written = {
  conversations: ReadonlySet<ConversationRow>;
  changes: Change[];
  statements: (Statement | undefined)[];
};

/** Undefined: nothing changes. */
async function prepareReactions(
  ctx: Context,
  tx: Tx,
  planned: PlannedReactions,
): Promise<Written | undefined> {
  const nets: Net[] = [];
  for (const reactions of planned.messages.values()) {
    const { app_id, conversation_id } = reactions.place;
    const conversation = planned.conversations.get(conversationKey(app_id, conversation_id));
    if (!conversation || reactions.changes.length === 0) continue;
    nets.push({ conversation, reactions, net: await netChangeOf(tx, reactions, planned) });
  }
  if (nets.length === 0) return undefined;
  const conversations = new Set(nets.map(({ conversation }) => conversation));
  for (const conversation of conversations) await markSideTable(tx, conversation, 'reactions');
  const blockers = await listBlockers(tx, nets);
  const pushes = nets.map((net) => pushesOf(net, planned));
  const changes = nets.map((net, index) =>
    addReactionsChange(ctx, net, { planned, blockers, pushes: pushes[index] ?? [] }),
  );
  const counts = nets.flatMap(({ net }) => net.counts);
  return {
    conversations,
    changes,
    statements: [
      deleteReactions(nets.flatMap(({ net }) => net.deleted)),
      insertReactions(
        nets.flatMap(({ net }, index) =>
          net.inserted.map((row) => ({ ...row, seq: changes[index]!.event.seq })),
        ),
      ),
      deleteReactionCounts(counts.filter(({ count }) => count === 0)),
      upsertReactionCounts(counts.filter(({ count }) => count > 0)),
      insertPushedReactions(
        pushes.flat().map(({ owner, push: { incarnation } }) => ({ ...owner, incarnation })),
      ),
      updateConversations([...conversations]),
    ],
  };
}

type Push = { owner: ReactionOwner; push: PlannedPush };

/** A user's reaction to a message is pushed once, however often it is taken back and given again. */
function pushesOf({ reactions }: Net, { pushed }: LoadedReactions): Push[] {
  const { place } = reactions;
  const { app_id: appId, conversation_id: conversationId, position } = place;
  return [...reactions.pushes]
    .filter(([userId]) => !pushed.has(keyOfOwner(place, userId)))
    .map(([userId, push]) => ({ owner: { appId, conversationId, position, userId }, push }));
}

type Telling = {
  planned: PlannedReactions;
  blockers: readonly NameBlockerRow[];
  pushes: readonly Push[];
};

function addReactionsChange(
  ctx: Context,
  { conversation, reactions: { place, changes }, net }: Net,
  { planned, blockers, pushes }: Telling,
): Change {
  const names = new Set(net.counts.flatMap(({ recent }) => recent));
  return addChange(ctx, conversation, {
    isAwaited: planned.isAwaited(conversation.app_id),
    body: {
      case: 'reactionsChanged',
      value: {
        messageId: place.id,
        position: place.position,
        changes: changes.flatMap(toChange),
        reactions: net.counts.map(({ key, count, recent }) =>
          create(MessageReactionSchema, { key, count, recent }),
        ),
        hiddenNames: hiddenNamesIn(blockers, { conversation, names }),
        pushes: pushes.map(({ push: { user, key, notification } }) =>
          create(ReactionPushSchema, { recipientUserId: place.sender_id, user, key, notification }),
        ),
      },
    },
  });
}

function toChange({ row, user, removed }: PlannedChange) {
  if (!user) return [];
  const { id, key, created_at: createdAt } = row;
  return [create(ReactionChangeSchema, { id, key, user, removed, createdAt })];
}

/** The participants who block somebody whom the reactions name. Two applications may use the same id for a conversation. */
async function listBlockers(sql: Sql, nets: readonly Net[]): Promise<NameBlockerRow[]> {
  const byApp = Map.groupBy(nets, ({ conversation }) => conversation.app_id);
  const found = await Promise.all(
    [...byApp].map(async ([appId, some]) => {
      const names = some.flatMap(({ conversation, net }) =>
        net.counts.flatMap(({ recent }) =>
          recent.map((userId) => ({ conversationId: conversation.id, userId })),
        ),
      );
      return names.length > 0 ? listNameBlockers(sql, appId, names) : [];
    }),
  );
  return found.flat();
}

type Named = { conversation: Pick<ConversationRow, 'app_id' | 'id'>; names: ReadonlySet<string> };

/** Whom participants of a conversation block, of those who are named. */
export function hiddenNamesIn(
  blockers: readonly NameBlockerRow[],
  { conversation, names }: Named,
): HiddenNames[] {
  return blockers.flatMap((row) => {
    if (row.app_id !== conversation.app_id || row.conversation_id !== conversation.id) return [];
    const blockedUserIds = row.blocked_user_ids.filter((userId) => names.has(userId));
    return blockedUserIds.length > 0
      ? [create(HiddenNamesSchema, { userId: row.user_id, blockedUserIds })]
      : [];
  });
}
