import { create } from '@parley/codec';
import type { Sql } from '@parley/kit/postgres';
import {
  ReactionsChangedSchema,
  type Event,
  type ReactionChange,
  type ReactionsChanged,
} from '@parley/proto/parley/event/v1/event_pb';
import { MessageReactionSchema, type MessageReaction } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Viewer } from '../conversation/viewer.ts';
import {
  listNameBlockers,
  listSeenReactions,
  type NameBlockerRow,
  type SeenReactionRow,
} from '../sql/message/reaction-count.ts';
import { hiddenNamesIn } from '../reaction/write.ts';

/** `untilSeq`: the last change whose reactions the viewer sees, that by which they left; null: all. */
export type SeenEvent = { event: Event; untilSeq: number | null };

/**
 * Changes of reactions with the reactions of now: for a user, with what they see and their own changes alone; for a server, and for sockets
 * of several users, with all changes as they were. The messages must exist.
 */
export async function loadReactionEvents(
  sql: Sql,
  viewer: Viewer,
  events: readonly SeenEvent[],
): Promise<Map<Event, Event>> {
  const found = events.flatMap(({ event, untilSeq }) =>
    event.body.case === 'reactionsChanged' ? [{ event, untilSeq, change: event.body.value }] : [],
  );
  if (found.length === 0) return new Map();
  const places = new Map(
    found.map(({ event, untilSeq, change }) => [
      `${event.conversationId}/${change.position}`,
      { conversationId: event.conversationId, position: change.position, untilSeq },
    ]),
  );
  const rows = await listSeenReactions(sql, viewer, [...places.values()]);
  const blockers = viewer.userId ? [] : await listBlockers(sql, viewer, rows);
  const byMessage = Map.groupBy(rows, (row) => `${row.conversation_id}/${row.position}`);
  return new Map(
    found.map(({ event, change }) => {
      const now = byMessage.get(`${event.conversationId}/${change.position}`) ?? [];
      const value = viewer.userId
        ? seenBy(viewer.userId, change, now)
        : asChanged(event, change, { now, blockers });
      return [event, { ...event, body: { case: 'reactionsChanged', value } }];
    }),
  );
}

function listBlockers(
  sql: Sql,
  { appId }: Viewer,
  rows: readonly SeenReactionRow[],
): Promise<NameBlockerRow[]> {
  const names = rows.flatMap(({ conversation_id: conversationId, recent }) =>
    recent.map((userId) => ({ conversationId, userId })),
  );
  return names.length > 0 ? listNameBlockers(sql, appId, names) : Promise.resolve([]);
}

/** The keys of a change as they are now; one that is gone has a count of 0. */
function reactionsOf({ reactions }: ReactionsChanged, now: readonly SeenReactionRow[]): MessageReaction[] {
  const byKey = new Map(now.map((row) => [row.key, row]));
  return reactions.map(({ key }) => {
    const { count = 0, recent = [] } = byKey.get(key) ?? {};
    return create(MessageReactionSchema, { key, count, recent });
  });
}

function seenBy(userId: string, change: ReactionsChanged, now: readonly SeenReactionRow[]): ReactionsChanged {
  const own = new Set(now.filter((row) => row.own).map(({ key }) => key));
  const byKey = new Map<string, ReactionChange>();
  for (const one of change.changes) if (one.user?.userId === userId) byKey.set(one.key, one);
  const changes = [...byKey.values()].map((one) => ({ ...one, removed: !own.has(one.key) }));
  return create(ReactionsChangedSchema, { ...change, changes, reactions: reactionsOf(change, now) });
}

type Now = { now: readonly SeenReactionRow[]; blockers: readonly NameBlockerRow[] };

function asChanged(event: Event, change: ReactionsChanged, { now, blockers }: Now): ReactionsChanged {
  const reactions = reactionsOf(change, now);
  const conversation = { app_id: event.appId, id: event.conversationId };
  const names = new Set(reactions.flatMap(({ recent }) => recent));
  const hiddenNames = hiddenNamesIn(blockers, { conversation, names });
  return create(ReactionsChangedSchema, { ...change, reactions, hiddenNames });
}
