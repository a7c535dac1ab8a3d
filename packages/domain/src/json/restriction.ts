import type { OwnRestriction, Restriction as RestrictionRecord } from '@parley/contract/records/restriction';
import type { Restriction } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { identityUri } from '../ids.ts';
import { basicIdentityJson } from './identity.ts';
import { isoTime, isoTimeOrNull } from './time.ts';
import type { View } from './view.ts';

/** A restriction as servers and those who may restrict see it. */
export function restrictionJson(view: View, restriction: Restriction): RestrictionRecord {
  const { user, until, reason, createdBy, createdAt } = restriction;
  if (!user) throw new TypeError('a restriction without its user');
  return {
    user: basicIdentityJson(view, user),
    type: restriction.kind === 'shadow' ? 'shadow' : kindOf(restriction),
    until: isoTimeOrNull(until),
    reason: reason ?? null,
    created_by: createdBy === '' ? null : identityUri(view.wire, createdBy),
    created_at: isoTime(createdAt),
  };
}

/** A restriction as the restricted user sees it. */
export function ownRestrictionJson(restriction: Restriction): OwnRestriction {
  const { until, reason, inApp } = restriction;
  return {
    type: kindOf(restriction),
    until: isoTimeOrNull(until),
    reason: reason ?? null,
    scope: inApp ? 'app' : 'conversation',
  };
}

function kindOf({ kind }: Restriction): 'mute' | 'ban' {
  return kind === 'ban' ? 'ban' : 'mute';
}
