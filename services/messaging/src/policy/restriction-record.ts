import { create } from '@parley/codec';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { RestrictionSchema, type Restriction } from '@parley/proto/parley/messaging/v1/conversation_pb';
import type { RestrictionRow } from '../sql/policy/restriction.ts';
import type { AppRestriction } from '../sql/policy/standing.ts';

/** The record of a restriction in a conversation. `user`: absent in the user's own view. */
export function toRestriction(row: RestrictionRow, user?: BasicIdentity): Restriction {
  return create(RestrictionSchema, { ...fieldsOf(row, user), createdBy: row.created_by ?? '' });
}

/** The record of a restriction in the whole application. */
export function toAppRestriction(row: AppRestriction, user?: BasicIdentity): Restriction {
  return create(RestrictionSchema, { ...fieldsOf(row, user), inApp: true });
}

/**
 * The restriction that the user is shown in a conversation: a ban, or else the mute in force that ends last. They are not told of a shadow
 * restriction. `row`: that of the conversation.
 */
export function shownRestriction(
  row: RestrictionRow | undefined,
  app: AppRestriction | null,
  now: number,
): Restriction | undefined {
  const all = [row && toRestriction(row), app?.kind === 'mute' ? toAppRestriction(app) : undefined];
  const inForce = all.flatMap((one) => (one && endOf(one) > now ? [one] : []));
  return inForce.find(({ kind }) => kind === 'ban') ?? inForce.toSorted(byEnd)[0];
}

/** A mute of the whole application that the user is shown instead of the restriction of the conversation. Undefined: none. */
export function shownInstead(
  row: RestrictionRow | undefined,
  app: AppRestriction | null,
  now: number,
): Restriction | undefined {
  const shown = shownRestriction(row, app, now);
  return shown?.inApp ? shown : undefined;
}

function byEnd(one: Restriction, other: Restriction): number {
  return endOf(one) === endOf(other) ? 0 : endOf(other) - endOf(one);
}

function endOf({ until }: Restriction): number {
  return until ?? Infinity;
}

type Fields = Pick<RestrictionRow | AppRestriction, 'kind' | 'until' | 'reason' | 'created_at'>;

function fieldsOf({ kind, until, reason, created_at: createdAt }: Fields, user: BasicIdentity | undefined) {
  return {
    kind,
    createdAt,
    ...(user && { user }),
    ...(until !== null && { until }),
    ...(reason !== null && { reason }),
  };
}
