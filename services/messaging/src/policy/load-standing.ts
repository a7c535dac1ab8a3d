import type { Action } from '@parley/contract/policy';
import { DEFAULT_RULES } from '@parley/domain/policy';
import type { Sql } from '@parley/kit/postgres';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { getStandingRow, type StandingRow } from '../sql/policy/standing.ts';
import { requireAllowed, type Mute, type Standing } from './standing.ts';

type Clock = { clock: { now(): number } };

/** The standing of a user in a locked conversation. */
export async function loadStanding(
  sql: Sql,
  conversation: ConversationRow,
  userId: string,
): Promise<Standing> {
  return toStanding(conversation, await getStandingRow(sql, conversation, userId));
}

export function toStanding({ frozen_at }: Pick<ConversationRow, 'frozen_at'>, row: StandingRow): Standing {
  return {
    rules: row.rules ?? DEFAULT_RULES,
    role: row.role,
    isFrozen: frozen_at !== null,
    mute: muteOf(row),
  };
}

/**
 * Checks that a participant may act in a locked conversation. An empty user id stands for a server, which is bound by nothing.
 * Problem: access_denied, with the reason.
 */
export async function checkAllowed(
  { clock }: Clock,
  sql: Sql,
  { conversation, userId, action }: { conversation: ConversationRow; userId: string; action: Action },
): Promise<void> {
  if (!userId) return;
  requireAllowed(await loadStanding(sql, conversation, userId), action, clock.now());
}

/** The mute that ends later: that of the conversation, or that of the application. */
export function muteOf(
  row: Pick<StandingRow, 'restriction_kind' | 'restriction_until' | 'app_restriction'>,
): Mute | null {
  const own: Mute | null = row.restriction_kind === 'mute' ? { until: row.restriction_until } : null;
  const { app_restriction: app } = row;
  if (!own || !app) return own ?? app;
  return endOf(own) >= endOf(app) ? own : app;
}

function endOf({ until }: Mute): number {
  return until ?? Infinity;
}
