import { maskOf } from '@parley/domain/events';
import { compareRoles } from '@parley/domain/policy';
import type { Tx } from '@parley/kit/postgres';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Context } from '../context.ts';
import { planRemoval } from '../conversation/patch-plan.ts';
import { applyPlan, loadLockedConversation } from '../conversation/patch.ts';
import { addChange, writeChanges, type Change } from '../log/append.ts';
import { updateConversationState } from '../sql/conversation/conversation-state.ts';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import { addSideTable } from '../sql/conversation/side-tables.ts';
import {
  findRestriction,
  liftRestriction,
  upsertRestriction,
  type RestrictionRow,
} from '../sql/policy/restriction.ts';
import { getStandingRow, type AppRestriction } from '../sql/policy/standing.ts';
import { write } from '../sql/statement.ts';
import { loadStanding } from './load-standing.ts';
import { failRefused, lackOfRole } from './refusal.ts';
import { shownInstead, toRestriction } from './restriction-record.ts';
import { isInForce, requireAllowed } from './standing.ts';

const NOBODY = '0'.repeat(64);

export type Restricting = {
  /** Locked. */
  conversation: ConversationRow;
  /** Empty: a server. */
  callerUserId: string;
  user: BasicIdentity;
};

/** Checks that the caller may restrict the user. Nobody restricts themselves or ends their own restriction. Problem: access_denied. */
export async function requireMayRestrict(
  { clock }: Context,
  tx: Tx,
  { conversation, callerUserId, user }: Restricting,
): Promise<void> {
  if (!callerUserId) return;
  const own = await loadStanding(tx, conversation, callerUserId);
  requireAllowed(own, 'restrict', clock.now());
  if (callerUserId === user.userId) failRefused(lackOfRole('restrict'));
  const other = await loadStanding(tx, conversation, user.userId);
  if (compareRoles(other.role, own.role) > 0) failRefused(lackOfRole('restrict'));
}

/** Restricts a user in a locked conversation; a ban removes them. An equal restriction in force changes nothing. */
export async function restrict(
  ctx: Context,
  tx: Tx,
  restricting: Restricting,
  row: RestrictionRow,
): Promise<void> {
  const { conversation, user } = restricting;
  const before = await findRestriction(tx, conversation, user.userId);
  if (before && isSame(before, row) && isInForce(before, ctx.clock.now())) return;
  const loaded = await loadLockedConversation(tx, conversation);
  addSideTable(conversation, 'restrictions');
  const isPresent = loaded.participants.has(user.userId);
  const change = addRestrictionChange(ctx, restricting, {
    row,
    isPresent,
    ended: false,
    actor: actorOf(loaded, restricting),
    app: await findAppRestriction(tx, restricting),
  });
  await write(tx, [upsertRestriction(row)]);
  if (row.kind === 'ban' && isPresent) {
    const plan = planRemoval(loaded.metadata, user.userId);
    const actor = actorOf(loaded, restricting);
    await applyPlan(ctx, tx, loaded, { plan, added: [], actor, before: [change] });
    return;
  }
  await writeChanges(ctx, tx, {
    changes: [change],
    statements: [updateConversationState(conversation, loaded.metadata)],
  });
}

/** Ends the restriction of a user in a locked conversation, if there is one. */
export async function endRestriction(ctx: Context, tx: Tx, restricting: Restricting): Promise<void> {
  const { conversation, user } = restricting;
  const row = await findRestriction(tx, conversation, user.userId);
  if (!row || !isInForce(row, ctx.clock.now())) return;
  const loaded = await loadLockedConversation(tx, conversation);
  const isPresent = loaded.participants.has(user.userId);
  const actor = actorOf(loaded, restricting);
  const app = await findAppRestriction(tx, restricting);
  const change = addRestrictionChange(ctx, restricting, { row, isPresent, ended: true, actor, app });
  await writeChanges(ctx, tx, {
    changes: [change],
    statements: [liftRestriction(row), updateConversationState(conversation, loaded.metadata)],
  });
}

type Told = {
  row: RestrictionRow;
  isPresent: boolean;
  ended: boolean;
  actor: BasicIdentity | undefined;
  /** The user's restriction in the whole application. */
  app: AppRestriction | null;
};

async function findAppRestriction(
  tx: Tx,
  { conversation, user }: Restricting,
): Promise<AppRestriction | null> {
  return (await getStandingRow(tx, conversation, user.userId)).app_restriction;
}

/** Only the user's own sockets get it, while they take part. */
function addRestrictionChange(
  ctx: Context,
  { conversation, user }: Restricting,
  { row, isPresent, ended, actor, app }: Told,
): Change {
  const shown = shownInstead(ended ? undefined : row, app, ctx.clock.now());
  return addChange(ctx, conversation, {
    actor,
    onlyUserIds: [user.userId],
    shards: isPresent ? maskOf([user.userId]) : NOBODY,
    body: {
      case: 'restrictionChanged',
      value: { restriction: toRestriction(row, user), ended, ...(shown && { shown }) },
    },
  });
}

function actorOf(
  { participants }: { participants: ReadonlyMap<string, BasicIdentity> },
  { callerUserId }: Restricting,
): BasicIdentity | undefined {
  return participants.get(callerUserId);
}

function isSame(one: RestrictionRow, other: RestrictionRow): boolean {
  return one.kind === other.kind && one.until === other.until && one.reason === other.reason;
}
