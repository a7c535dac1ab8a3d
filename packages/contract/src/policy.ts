/** Roles of participants, the most powerful first. */
export const ROLES = ['owner', 'moderator', 'member', 'observer'] as const;
export type Role = (typeof ROLES)[number];

/** The role of a participant who was given none. */
export const DEFAULT_ROLE: Role = 'member';

/** The type of a conversation that was created without one. It always exists. */
export const DEFAULT_TYPE = 'default';

const TALKING: readonly Role[] = ['owner', 'moderator', 'member'];
const MODERATING: readonly Role[] = ['owner', 'moderator'];

/** Everything that a conversation type can allow to roles, with the roles that may do it by default. */
export const ACTIONS = {
  send: TALKING,
  reply_in_thread: TALKING,
  react: TALKING,
  edit_own: TALKING,
  delete_own: TALKING,
  delete_any: TALKING,
  delete_conversation: TALKING,
  add_participants: TALKING,
  remove_participants: TALKING,
  patch_metadata: TALKING,
  pin: TALKING,
  mention_everyone: TALKING,
  notify: TALKING,
  schedule: TALKING,
  signal: TALKING,
  freeze: MODERATING,
  restrict: MODERATING,
  send_when_frozen: MODERATING,
  skip_slow_mode: MODERATING,
  set_visibility: MODERATING,
  cancel_streams: MODERATING,
  invite: MODERATING,
  set_roles: ['owner'],
  edit_any: [],
  set_retention: [],
  stream: [],
} as const satisfies Record<string, readonly Role[]>;
export type Action = keyof typeof ACTIONS;

/** The actions that do something today; `permissions` lists no others. */
export const BUILT_ACTIONS = [
  'send',
  'react',
  'edit_own',
  'delete_own',
  'delete_any',
  'delete_conversation',
  'add_participants',
  'remove_participants',
  'patch_metadata',
  'notify',
  'freeze',
  'restrict',
  'send_when_frozen',
  'skip_slow_mode',
  'set_roles',
  'edit_any',
] as const satisfies readonly Action[];

/** Features that a conversation type can switch off. */
export const FEATURES = ['typing', 'receipts', 'reactions', 'threads', 'search', 'push'] as const;
export type Feature = (typeof FEATURES)[number];

/** Why a policy forbids an action. */
export const REFUSAL_REASONS = [
  'role',
  'type',
  'frozen',
  'muted',
  'banned',
  'edit_window',
  'delete_window',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}

export function isAction(value: unknown): value is Action {
  return typeof value === 'string' && Object.hasOwn(ACTIONS, value);
}
