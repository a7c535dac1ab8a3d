import type { ConversationType, ConversationTypeInput } from '@parley/contract/gen/records';

export type Role = ConversationType['creator_role'];
export type Action = keyof ConversationType['actions'];
export type Feature = keyof ConversationType['features'];

/** The most powerful first. */
export const ROLES: readonly Role[] = ['owner', 'moderator', 'member', 'observer'];

/** A type as a form has it; numbers are texts while they are typed, and empty for none. */
export type Rules = Pick<
  ConversationType,
  'actions' | 'create' | 'creator_role' | 'newcomer_history' | 'edit_history' | 'push_level'
> & {
  features: Feature[];
  maxParticipants: number | string;
  slowMode: number | string;
  editWindow: number | string;
  deleteWindow: number | string;
};

export function rulesOf(type: ConversationType): Rules {
  const { actions, create, creator_role, newcomer_history, edit_history, push_level } = type;
  const features = (Object.keys(type.features) as Feature[]).filter((name) => type.features[name]);
  return {
    actions,
    create,
    creator_role,
    newcomer_history,
    edit_history,
    push_level,
    features,
    maxParticipants: type.max_participants ?? '',
    slowMode: type.slow_mode_in_seconds,
    editWindow: type.edit_window_in_seconds ?? '',
    deleteWindow: type.delete_window_in_seconds ?? '',
  };
}

/** All keys of a type that can be written, since what a `PUT` leaves out has its default afterwards. */
export function inputOf(rules: Rules, { features: known }: ConversationType): ConversationTypeInput {
  const { actions, create, creator_role, newcomer_history, edit_history, push_level } = rules;
  const features = Object.fromEntries(
    Object.keys(known).map((name) => [name, rules.features.includes(name as Feature)]),
  );
  return {
    actions,
    create,
    creator_role,
    newcomer_history,
    edit_history,
    push_level,
    features,
    max_participants: numberOf(rules.maxParticipants),
    slow_mode_in_seconds: numberOf(rules.slowMode) ?? 0,
    edit_window_in_seconds: numberOf(rules.editWindow),
    delete_window_in_seconds: numberOf(rules.deleteWindow),
  };
}

/** The limits, each with the least and the most that the platform accepts. */
export const LIMITS = {
  maxParticipants: [1, Infinity],
  slowMode: [0, 21_600],
  editWindow: [0, 315_360_000],
  deleteWindow: [0, 315_360_000],
} as const satisfies Partial<Record<keyof Rules, readonly [number, number]>>;

export type Limit = keyof typeof LIMITS;

/** Says what is wrong with a limit as it is typed; undefined if it is accepted. */
export function mistakeOf(rules: Rules, limit: Limit): string | undefined {
  const [least, most] = LIMITS[limit];
  const value = Number(rules[limit]);
  if (rules[limit] === '' || (Number.isInteger(value) && value >= least && value <= most)) return undefined;
  const end = most === Infinity ? ' on' : ` to ${most.toLocaleString('en')}`;
  return `A whole number from ${least}${end}.`;
}

export function hasMistake(rules: Rules): boolean {
  return (Object.keys(LIMITS) as Limit[]).some((limit) => mistakeOf(rules, limit) !== undefined);
}

function numberOf(text: number | string): number | null {
  return text === '' ? null : Number(text);
}

/** Whether two records of the platform, or two forms of them, are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The actions after a role was given or taken, in the order of the roles. */
export function withRole(
  actions: ConversationType['actions'],
  { action, role, isAllowed }: { action: Action; role: Role; isAllowed: boolean },
): ConversationType['actions'] {
  const others = actions[action].filter((one) => one !== role);
  const roles = isAllowed ? [...others, role] : others;
  return { ...actions, [action]: ROLES.filter((one) => roles.includes(one)) };
}
