import { BUILT_ACTIONS, type Action, type Feature, type Role } from '@parley/contract/policy';
import { hasFeature, mayDo, type TypeRules } from '@parley/domain/policy';
import { failRefused, type Refusal, type RefusalProblem } from './refusal.ts';

/** `until`: milliseconds; null: without end. */
export type Mute = { until: number | null };

/** The state that decides on the acts of a user in a conversation, as of one moment. */
export type Standing = {
  rules: TypeRules;
  /** Null: a member. */
  role: Role | null;
  isFrozen: boolean;
  /** A mute of the user, in the conversation or in the application, that may be over. */
  mute: Mute | null;
  /** A shadow restriction of the user, that may be over. */
  shadow?: Mute | null;
};

/** Acts that a mute forbids. */
const SPEAKING: ReadonlySet<Action> = new Set([
  'send',
  'reply_in_thread',
  'react',
  'edit_own',
  'edit_any',
  'signal',
  'schedule',
]);

/** Acts that a frozen conversation leaves to those who may send in it. */
const FROZEN: ReadonlySet<Action> = new Set([
  'send',
  'reply_in_thread',
  'react',
  'edit_own',
  'edit_any',
  'schedule',
]);

/** Acts that a type can switch off. */
const FEATURE_OF: Partial<Record<Action, Feature>> = { react: 'reactions', reply_in_thread: 'threads' };

/** Why the user may not do it; undefined: they may. `now`: milliseconds. Servers are not asked about. */
export function findRefusal(standing: Standing, action: Action, now: number): Refusal | undefined {
  const { rules, role, isFrozen, mute } = standing;
  const feature = FEATURE_OF[action];
  if (feature && !hasFeature(rules, feature)) return { reason: 'type', action };
  if (!mayDo(rules, role, action)) return { reason: 'role', action };
  if (isFrozen && FROZEN.has(action) && !mayDo(rules, role, 'send_when_frozen'))
    return { reason: 'frozen', action };
  if (mute && SPEAKING.has(action) && isInForce(mute, now))
    return { reason: 'muted', action, until: mute.until };
  return undefined;
}

/** Problem: access_denied or `id`, with the reason. */
export function requireAllowed(standing: Standing, action: Action, now: number, id?: RefusalProblem): void {
  const refusal = findRefusal(standing, action, now);
  if (refusal) failRefused(refusal, id);
}

/** Why the others do not see that the user types: they may not send, or the type has no typing. */
export function findTypingRefusal(standing: Standing, now: number): Refusal | undefined {
  if (!hasFeature(standing.rules, 'typing')) return { reason: 'type', action: 'typing' };
  return findRefusal(standing, 'send', now);
}

/** Whether the acts of the user reach nobody. They are answered as those of any other. */
export function isShadowed({ shadow }: Standing, now: number): boolean {
  return shadow != null && isInForce(shadow, now);
}

export function isInForce({ until }: Mute, now: number): boolean {
  return until === null || until > now;
}

/** Lists the actions that the user may take at the moment. */
export function permissionsOf(standing: Standing, now: number): Action[] {
  return BUILT_ACTIONS.filter((action) => !findRefusal(standing, action, now));
}
