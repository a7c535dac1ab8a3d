import type { ConversationType } from '@parley/contract/gen/records';
import type { StoredConversation } from './records.ts';

export type { ConversationType };

/** A role of a participant. */
export type Role = ConversationType['creator_role'];

/** An action that a type of conversations can allow to roles. */
export type Action = keyof ConversationType['actions'];

const OF_NOBODY: readonly Action[] = ['edit_any', 'set_retention', 'stream'];
const OF_OWNERS: readonly Action[] = ['set_roles', ...OF_NOBODY];
const OF_MODERATORS: readonly Action[] = [
  'freeze',
  'restrict',
  'send_when_frozen',
  'skip_slow_mode',
  'set_visibility',
  'cancel_streams',
  'invite',
  ...OF_OWNERS,
];

/** Actions that a role lacks by default, which counts before the types are known; an observer has none. */
const LACKING: Readonly<Partial<Record<Role, readonly Action[]>>> = {
  owner: OF_NOBODY,
  moderator: OF_OWNERS,
  member: OF_MODERATORS,
};

const SPEAKING: ReadonlySet<Action> = new Set<Action>([
  'send',
  'reply_in_thread',
  'react',
  'edit_own',
  'signal',
]);

type Known = {
  /** URI of the user's identity. */
  readonly me: string;
  /** Undefined until they were read. */
  readonly types: readonly ConversationType[] | undefined;
};

/** Whether the user may do something in a conversation at the moment, as far as the device knows. */
export function mayDo(conversation: StoredConversation, action: Action, { me, types }: Known): boolean {
  if (!conversation.participants.some(({ id }) => id === me)) return false;
  const rules = types?.find(({ name }) => name === (conversation.type ?? 'default'));
  const { permissions } = conversation;
  if (!rules && permissions) return (permissions as readonly string[]).includes(action);
  const role = conversation.roles?.[me] ?? 'member';
  const may = (one: Action) =>
    rules ? rules.actions[one].includes(role) : LACKING[role]?.includes(one) === false;
  if (!may(action) || (action === 'react' && rules?.features.reactions === false)) return false;
  if (!SPEAKING.has(action)) return true;
  if (conversation.frozen && action !== 'signal' && !may('send_when_frozen')) return false;
  const { restriction } = conversation;
  const isOver = restriction?.until && Date.parse(restriction.until) <= Date.now();
  return !restriction || Boolean(isOver);
}
