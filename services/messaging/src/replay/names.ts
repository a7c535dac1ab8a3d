import type { Sql } from '@parley/kit/postgres';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { basicIdentity } from '../identity/basic-identity.ts';
import { listIdentities, type IdentityRow } from '../sql/identity/identity-copy.ts';
import { identitiesIn } from './answer-budget.ts';

/** Events of the change log, which holds only user ids, with the users' present names. */
export async function withNames(sql: Sql, appId: string, events: readonly Event[]): Promise<Event[]> {
  const userIds = new Set(events.flatMap(identitiesIn).map(({ userId }) => userId));
  if (userIds.size === 0) return [...events];
  const refs = [...userIds].map((userId) => ({ appId, userId }));
  const rows = await listIdentities(sql, refs);
  const byId = new Map(rows.map((row) => [row.user_id, row]));
  return events.map((event) => replaceNames(event, (person) => named(person, byId.get(person.userId))));
}

/** An erased person does not get the names of the one who has the user id now. */
function named(person: BasicIdentity, row: IdentityRow | undefined): BasicIdentity {
  return row && person.incarnation >= row.participations_from ? basicIdentity(row) : person;
}

function replaceNames(event: Event, name: (person: BasicIdentity) => BasicIdentity): Event {
  const known = event.actor ? { ...event, actor: name(event.actor) } : event;
  if (known.body.case === 'reactionsChanged') {
    const { value } = known.body;
    const changes = value.changes.map((change) =>
      change.user ? { ...change, user: name(change.user) } : change,
    );
    return { ...known, body: { case: 'reactionsChanged', value: { ...value, changes } } };
  }
  if (known.body.case !== 'conversationUpdated') return known;
  const { value } = known.body;
  const people = { added: value.added.map(name), removed: value.removed.map(name) };
  return { ...known, body: { case: 'conversationUpdated', value: { ...value, ...people } } };
}
