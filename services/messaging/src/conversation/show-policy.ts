import { create } from '@parley/codec';
import { DEFAULT_RULES } from '@parley/domain/policy';
import type { Sql } from '@parley/kit/postgres';
import {
  PermissionsSchema,
  RestrictionSchema,
  type Restriction,
  type UserView,
} from '@parley/proto/parley/messaging/v1/conversation_pb';
import { permissionsOf } from '../policy/standing.ts';
import type { ShownConversationRow } from '../sql/conversation/conversation-view.ts';
import { hasSideTable } from '../sql/conversation/side-tables.ts';
import {
  listRestrictionsOf,
  type OwnParticipantRow,
  type RestrictionRow,
} from '../sql/policy/restriction.ts';
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
    const restriction = longest([toRestriction(byId.get(row.id)), appRestriction(participant)], now);
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

/** The restriction in force that ends last. */
function longest(restrictions: readonly (Restriction | undefined)[], now: number): Restriction | undefined {
  return restrictions
    .flatMap((one) => (one && endOf(one) > now ? [one] : []))
    .toSorted((one, other) => endOf(other) - endOf(one))[0];
}

function endOf({ until }: Restriction): number {
  return until ?? Infinity;
}

function appRestriction({ app_restriction: row }: OwnParticipantRow): Restriction | undefined {
  // A shadow restriction is not told.
  if (row?.kind !== 'mute') return undefined;
  return create(RestrictionSchema, {
    kind: row.kind,
    createdAt: row.created_at,
    inApp: true,
    ...(row.until !== null && { until: row.until }),
    ...(row.reason !== null && { reason: row.reason }),
  });
}

function toRestriction(row: RestrictionRow | undefined): Restriction | undefined {
  if (!row) return undefined;
  return create(RestrictionSchema, {
    kind: row.kind,
    createdAt: row.created_at,
    createdBy: row.created_by ?? '',
    ...(row.until !== null && { until: row.until }),
    ...(row.reason !== null && { reason: row.reason }),
  });
}
