import type { Sql } from '@parley/kit/postgres';
import type { MessagePosition } from '../../sql/message/message-at.ts';
import {
  dropVersions,
  keepVersion,
  markVersions,
  type EditAudience,
  type ReplacingEdit,
} from '../../sql/message/message-version.ts';
import type { Statement } from '../../sql/statement.ts';

type Replacing = {
  place: MessagePosition;
  audience: EditAudience;
  edit: Pick<ReplacingEdit, 'seq' | 'editedAt' | 'editedBy'>;
};

/**
 * The body that an edit replaces is kept for participants who block the sender: they go on seeing it, as do those who saw an earlier body
 * at an edit before. docs/decisions/relations.md#what-a-block-withholds It is kept, too, for users who left since the last edit.
 * docs/decisions/messages.md#what-former-participants-read Returns what belongs in the statement of the edit; undefined: nobody needs it.
 */
export async function keepReplacedBody(
  sql: Sql,
  { place, audience, edit }: Replacing,
): Promise<Statement | undefined> {
  const keptFor = audience.blocking;
  if (keptFor.length === 0 && !audience.isSeenByFormer) return undefined;
  await markVersions(sql, place);
  await dropVersions(sql, place);
  return keepVersion({ place, keptFor, ...edit });
}
