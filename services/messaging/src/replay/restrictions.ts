import { create } from '@parley/codec';
import type { Sql } from '@parley/kit/postgres';
import { RestrictionChangedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Viewer } from '../conversation/viewer.ts';
import { basicIdentity } from '../identity/basic-identity.ts';
import { shownInstead, toRestriction } from '../policy/restriction-record.ts';
import { listIdentities } from '../sql/identity/identity-copy.ts';
import { LIFTED, listRestrictionsOf } from '../sql/policy/restriction.ts';
import { getStandingRow } from '../sql/policy/standing.ts';

/** Events about restrictions, of which the change log holds the users alone, with the restrictions that there are now. */
export async function withRestrictions(
  sql: Sql,
  viewer: Pick<Viewer, 'appId' | 'now'>,
  events: readonly Event[],
): Promise<Event[]> {
  return Promise.all(events.map((event) => withRestriction(sql, viewer, event)));
}

async function withRestriction(
  sql: Sql,
  { appId, now }: Pick<Viewer, 'appId' | 'now'>,
  event: Event,
): Promise<Event> {
  const { body, conversationId } = event;
  if (body.case !== 'restrictionChanged' || !body.value.restriction?.user) return event;
  const { user } = body.value.restriction;
  const { userId } = user;
  const [[row], [identity], standing] = await Promise.all([
    listRestrictionsOf(sql, { appId, userId, ids: [conversationId] }),
    listIdentities(sql, [{ appId, userId }]),
    getStandingRow(sql, { app_id: appId, id: conversationId }, userId),
  ]);
  const named = identity && user.incarnation >= identity.participations_from ? basicIdentity(identity) : user;
  const logged = { ...body.value.restriction, user: named };
  const restriction = row && row.until !== LIFTED && !body.value.ended ? toRestriction(row, named) : logged;
  const shown = shownInstead(body.value.ended ? undefined : row, standing.app_restriction, now);
  const value = create(RestrictionChangedSchema, { ...body.value, restriction, ...(shown && { shown }) });
  return { ...event, body: { case: body.case, value } };
}
