import { DEFAULT_TYPE, type Role } from '@parley/contract/policy';
import type { TypeRules } from '@parley/domain/policy';
import { lookUp } from '@parley/kit/postgres/look-up';
import type { Sql } from '@parley/kit/postgres';
import type { ConversationRow } from '../conversation/conversation.ts';
import { isHeldWith, type ParticipantRef } from '../conversation/participant.ts';
import { mayHold } from '../conversation/side-tables.ts';
import { rowParameters } from '../row-parameters.ts';
import { textOf } from '../statement.ts';

/** A restriction in the whole application, as the identity copy holds it. Times in milliseconds; a null `until` is without end. */
export type AppRestriction = {
  kind: 'mute' | 'shadow';
  until: number | null;
  reason: string | null;
  created_at: number;
};

/** The restrictions of a user, in force or over. */
export type Restricted = {
  /** The restriction in the conversation. */
  restriction_kind: 'mute' | 'ban' | null;
  restriction_until: number | null;
  restriction_reason: string | null;
  app_restriction: AppRestriction | null;
};

/** The state that decides on the acts of a participant. A missing row of a joined table has nulls. */
export type StandingRow = Restricted & {
  role: Role | null;
  rules: TypeRules | null;
};

/** The columns of Restricted, from the aliases `r` and `i`. */
export const RESTRICTION_COLUMNS = `r.kind as restriction_kind, r.until as restriction_until,
    r.reason as restriction_reason, i.restriction as app_restriction`;

/** SQL of the name of the type of conversation `c`. */
export const TYPE_NAME = `coalesce(c.type, '${DEFAULT_TYPE}')`;

/** SQL of the type of conversation `c`; the rules of an unchanged `default` are in no row. */
export function joinType(appId: string): string {
  return `left join ${lookUp('conversation_type', 't', `t.app_id = ${appId} and t.name = ${TYPE_NAME}`)} on true`;
}

/** SQL of whether pushes are made of messages in conversations of type `t`. */
export const HAS_PUSHES = `coalesce(t.rules -> 'features' ->> 'push', 'true') <> 'false'`;

/** SQL of whether receipts are dropped in conversations of type `t`. */
export const ARE_RECEIPTS_OFF = `coalesce(t.rules -> 'features' ->> 'receipts', 'true') = 'false'`;

/** SQL of the restriction of a user, with identity `i`, in conversation `c`, which reads the table only if the conversation has any. */
export function joinRestriction(key: { appId: string; conversationId: string; userId: string }): string {
  return `left join ${lookUp(
    'restriction',
    'r',
    `${mayHold('c', 'restrictions')} and r.app_id = ${key.appId} and r.conversation_id = ${key.conversationId}
    and r.user_id = ${key.userId} and r.incarnation >= coalesce(i.participations_from, 0)`,
  )} on true`;
}

/** The standing of a user in a locked conversation, in which they need not take part. */
export async function getStandingRow(
  sql: Sql,
  { app_id: appId, id: conversationId }: Pick<ConversationRow, 'app_id' | 'id'>,
  userId: string,
): Promise<StandingRow> {
  const [row] = await listStandingRows(sql, [{ appId, conversationId, userId }]);
  return row!;
}

const WANTED = rowParameters<{ app_id: string; conversation_id: string; user_id: string }>(
  'wanted',
  { app_id: 'uuid', conversation_id: 'uuid', user_id: 'text' },
  { ordinal: 'ordinal' },
);

/** The standings of users in conversations, one for each reference, in order. */
export function listStandingRows(sql: Sql, refs: readonly ParticipantRef[]): Promise<StandingRow[]> {
  const rows = refs.map(({ appId, conversationId, userId }) => {
    return { app_id: appId, conversation_id: conversationId, user_id: userId };
  });
  const { sql: wanted, values, suffix } = WANTED.of(rows);
  const name = `list_standings${suffix}`;
  return sql.query<StandingRow>({ name, text: textOf(name, () => statement(wanted)), values });
}

function statement(wanted: string): string {
  const key = { appId: 'wanted.app_id', conversationId: 'wanted.conversation_id', userId: 'wanted.user_id' };
  return `
      select p.role, t.rules, ${RESTRICTION_COLUMNS}
      from ${wanted}
      left join ${lookUp('conversation', 'c', 'c.app_id = wanted.app_id and c.id = wanted.conversation_id')} on true
      left join ${lookUp('identity_copy', 'i', 'i.app_id = wanted.app_id and i.user_id = wanted.user_id')} on true
      left join ${lookUp(
        'participant',
        'p',
        `p.app_id = wanted.app_id and p.conversation_id = wanted.conversation_id and p.user_id = wanted.user_id
        and ${isHeldWith()}`,
      )} on true
      ${joinType('wanted.app_id')}
      ${joinRestriction(key)}
      order by wanted.ordinal`;
}
