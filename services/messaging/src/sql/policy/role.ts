import type { Role } from '@parley/contract/policy';
import type { ConversationRow } from '../conversation/conversation.ts';
import { column, type Statement } from '../statement.ts';

/** `role`: null for a member. */
export type RoleChange = { userId: string; role: Role | null };

/** Gives participants of a locked conversation their roles. */
export function setRoles(
  { app_id, id }: Pick<ConversationRow, 'app_id' | 'id'>,
  changes: readonly RoleChange[],
): Statement | undefined {
  if (changes.length === 0) return undefined;
  return {
    name: 'set_roles',
    text: `
      update participant p set role = given.role
      from unnest($3::text[], $4::text[]) as given (user_id, role)
      where p.app_id = $1::uuid and p.conversation_id = $2::uuid and p.user_id = given.user_id`,
    values: [app_id, id, column(changes, 'userId'), column(changes, 'role')],
  };
}
