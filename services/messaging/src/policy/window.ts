import type { TypeRules } from '@parley/domain/policy';
import { failRefused, type RefusalProblem } from './refusal.ts';
import type { Standing } from './standing.ts';

type Window = 'edit_window' | 'delete_window';

const ACTION = { edit_window: 'edit_own', delete_window: 'delete_own' } as const;

type Act = { sentAt: number; now: number; id?: RefusalProblem };

/**
 * Checks that the sender of a message still may edit or delete it: the type's window counts from when the message was sent, and `edit_any`
 * and `delete_any` have none. Times in milliseconds. Problem: access_denied or `id`, with the window as the reason.
 */
export function requireWithin(window: Window, { rules }: Standing, { sentAt, now, id }: Act): void {
  const seconds = secondsOf(rules, window);
  if (seconds !== undefined && now >= sentAt + seconds * 1000)
    failRefused({ reason: window, action: ACTION[window] }, id);
}

/** Undefined: without end. */
function secondsOf(rules: TypeRules, window: Window): number | undefined {
  return window === 'edit_window' ? rules.edit_window_in_seconds : rules.delete_window_in_seconds;
}
