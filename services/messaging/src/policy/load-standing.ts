import type { Action } from '@parley/contract/policy';
import { DEFAULT_RULES } from '@parley/domain/policy';
import { errorOf, problem } from '@parley/domain/problems';
import type { Sql } from '@parley/kit/postgres';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { getStandingRow, type StandingRow } from '../sql/policy/standing.ts';
import { failRefused, toProblem, type RefusalProblem } from './refusal.ts';
import { findRefusal, isInForce, type Mute, type Standing } from './standing.ts';

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
    shadow: shadowOf(row),
  };
}

/** The shadow restriction of a user, which may be over. */
export function shadowOf({ app_restriction: app }: Pick<StandingRow, 'app_restriction'>): Mute | null {
  return app?.kind === 'shadow' ? app : null;
}

/** An act of a user in a locked conversation. An empty user id stands for a server, which is bound by nothing. */
export type Act = {
  conversation: ConversationRow;
  userId: string;
  action: Action;
  /** The problem of a refusal; by default access_denied. */
  id?: RefusalProblem;
};

/** Checks that a participant may act. Problem: access_denied or that of the act, with the reason. */
export async function checkAllowed(
  { clock }: Clock,
  sql: Sql,
  { conversation, userId, action, id }: Act,
): Promise<void> {
  if (!userId) return;
  const refusal = findRefusal(await loadStanding(sql, conversation, userId), action, clock.now());
  if (refusal) failRefused(refusal, id);
}

/** Refuses the act of a user who takes no part any more. */
export async function failAbsent(
  { clock }: Clock,
  sql: Sql,
  { conversation, userId, action, id }: Act,
): Promise<never> {
  const row = await getStandingRow(sql, conversation, userId);
  throw errorOf(absence(row, { action, id, now: clock.now() }));
}

/** Why a user who takes no part any more may not act: a ban, which has a reason, or that they were removed, or left. */
export function absence(
  row: Pick<StandingRow, 'restriction_kind' | 'restriction_until'>,
  { action, id = 'access_denied', now }: Pick<Act, 'action' | 'id'> & { now: number },
): Problem {
  const isBanned = row.restriction_kind === 'ban' && isInForce({ until: row.restriction_until }, now);
  return isBanned ? toProblem({ reason: 'banned', action }, id) : problem(id);
}

/** The mute that ends later: that of the conversation, or that of the application. */
export function muteOf(
  row: Pick<StandingRow, 'restriction_kind' | 'restriction_until' | 'app_restriction'>,
): Mute | null {
  const own: Mute | null = row.restriction_kind === 'mute' ? { until: row.restriction_until } : null;
  const app = row.app_restriction?.kind === 'mute' ? row.app_restriction : null;
  if (!own || !app) return own ?? app;
  return endOf(own) >= endOf(app) ? own : app;
}

function endOf({ until }: Mute): number {
  return until ?? Infinity;
}
