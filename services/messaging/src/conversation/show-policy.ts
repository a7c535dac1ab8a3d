import { create } from '@parley/codec';
import { DEFAULT_RULES } from '@parley/domain/policy';
import type { Sql } from '@parley/kit/postgres';
import {
  PermissionsSchema,
  type Restriction,
  type UserView,
} from '@parley/proto/parley/messaging/v1/conversation_pb';
import { shownRestriction } from '../policy/restriction-record.ts';
import { permissionsOf } from '../policy/standing.ts';
import type { ShownConversationRow } from '../sql/conversation/conversation-view.ts';
import { hasSideTable } from '../sql/conversation/side-tables.ts';
import { listRestrictionsOf, type OwnParticipantRow } from '../sql/policy/restriction.ts';
import type { Viewer } from './viewer.ts';

type Shown = {
  rows: readonly ShownConversationRow[];
  /** The user's participant rows. */
  own: readonly OwnParticipantRow[];
  /** Views to complete, by conversation id. */
  views: ReadonlyMap<string, UserView>;
};

/** Adds the user's restriction to their views of conversations, and what they may do at the moment if that is asked for. */
export async function showPolicy(
  sql: Sql,
  { appId, userId, now, asksPermissions }: Viewer,
  { rows, own, views }: Shown,
): Promise<void> {
  const ids = rows.flatMap((row) => (hasSideTable(row, 'restrictions') ? [row.id] : []));
  const restrictions = ids.length > 0 ? await listRestrictionsOf(sql, { appId, userId, ids }) : [];
  const byId = new Map(restrictions.map((row) => [row.conversation_id, row]));
  const ownById = new Map(own.map((row) => [row.conversation_id, row]));
  for (const row of rows) {
    const view = views.get(row.id);
    const participant = ownById.get(row.id);
    if (!view || !participant) continue;
    const restriction = shownRestriction(byId.get(row.id), participant.app_restriction, now);
    if (restriction) view.restriction = restriction;
    if (row.rules && asksPermissions)
      view.permissions = create(PermissionsSchema, {
        actions: permitted(row, participant, { restriction, now }),
      });
  }
}

type Moment = { restriction: Restriction | undefined; now: number };

function permitted(
  row: ShownConversationRow,
  participant: OwnParticipantRow,
  { restriction, now }: Moment,
): string[] {
  if (participant.left_seq !== null) return [];
  const mute = restriction?.kind === 'mute' ? { until: restriction.until ?? null } : null;
  const standing = {
    rules: row.rules ?? DEFAULT_RULES,
    role: participant.role,
    isFrozen: row.frozen_at !== null,
    mute,
  };
  return permissionsOf(standing, now);
}
