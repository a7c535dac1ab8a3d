import {
  ACTIONS,
  DEFAULT_ROLE,
  FEATURES,
  ROLES,
  type Action,
  type Feature,
  type Role,
} from '@parley/contract/policy';

/** The rules of a conversation type as they are stored: a key that has its default is left out. */
export type TypeRules = {
  actions?: Partial<Record<Action, Role[]>>;
  features?: Partial<Record<Feature, false>>;
  create?: 'servers';
  creator_role?: Role;
  newcomer_history?: 'none';
  max_participants?: number;
  slow_mode_in_seconds?: number;
  edit_window_in_seconds?: number;
  delete_window_in_seconds?: number;
  edit_history?: 'servers' | 'participants';
  push_level?: 'mentions' | 'none';
};

/** The rules of `default` while nobody has changed it. */
export const DEFAULT_RULES: TypeRules = {};

/** Whether the type lets a role do something. A participant without a role is a member. */
export function mayDo(rules: TypeRules, role: Role | null | undefined, action: Action): boolean {
  const roles: readonly Role[] = rules.actions?.[action] ?? ACTIONS[action];
  return roles.includes(role ?? DEFAULT_ROLE);
}

export function hasFeature(rules: TypeRules, feature: Feature): boolean {
  return rules.features?.[feature] !== false;
}

/** Compares two roles: positive when the first one is higher. */
export function compareRoles(one: Role | null | undefined, other: Role | null | undefined): number {
  return ROLES.indexOf(other ?? DEFAULT_ROLE) - ROLES.indexOf(one ?? DEFAULT_ROLE);
}

/** Removes what has its default; without any key left, the rules are those of the unchanged `default`. */
export function withoutDefaults(rules: TypeRules): TypeRules {
  const actions = Object.entries(rules.actions ?? {}).filter(
    ([action, roles]) => !isSameList(roles, ACTIONS[action as Action]),
  );
  const off = FEATURES.filter((feature) => rules.features?.[feature] === false);
  const kept: TypeRules = Object.assign({}, rules);
  delete kept.actions;
  delete kept.features;
  if (actions.length > 0) kept.actions = Object.fromEntries(actions);
  if (off.length > 0) kept.features = Object.fromEntries(off.map((feature) => [feature, false]));
  if (kept.creator_role === DEFAULT_ROLE) delete kept.creator_role;
  return kept;
}

export function isDefault(rules: TypeRules): boolean {
  return Object.keys(rules).length === 0;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && other.every((role) => one.includes(role));
}
