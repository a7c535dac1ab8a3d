import {
  ACTIONS,
  DEFAULT_ROLE,
  FEATURES,
  type Action,
  type Feature,
  type Role,
} from '@parley/contract/policy';
import type { ConversationType as TypeRecord } from '@parley/contract/records/conversation-type';
import type { ConversationType } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import type { TypeRules } from '../policy.ts';

/** A type with all its keys, defaults included. */
export function conversationTypeJson({ name, rules: stored }: ConversationType): TypeRecord {
  // Only rules of this form are stored.
  const rules = (stored ?? {}) as TypeRules;
  return {
    name,
    actions: mapTo<Action, Role[]>(Object.keys(ACTIONS) as Action[], (action) => [
      ...(rules.actions?.[action] ?? ACTIONS[action]),
    ]),
    features: mapTo<Feature, boolean>(FEATURES, (feature) => rules.features?.[feature] !== false),
    create: rules.create ?? 'users',
    creator_role: rules.creator_role ?? DEFAULT_ROLE,
    newcomer_history: rules.newcomer_history ?? 'all',
    max_participants: rules.max_participants ?? null,
    slow_mode_in_seconds: rules.slow_mode_in_seconds ?? 0,
    message_retention_in_seconds: null,
    edit_window_in_seconds: rules.edit_window_in_seconds ?? null,
    delete_window_in_seconds: rules.delete_window_in_seconds ?? null,
    edit_history: rules.edit_history ?? 'none',
    push_level: rules.push_level ?? 'all',
    live: false,
  };
}

function mapTo<K extends string, V>(keys: readonly K[], valueOf: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, V>;
}
