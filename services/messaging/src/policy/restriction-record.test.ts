import type { RestrictionRow } from '../sql/policy/restriction.ts';
import type { AppRestriction } from '../sql/policy/standing.ts';
import { shownRestriction } from './restriction-record.ts';

const NOW = 1_000;

function own(kind: 'mute' | 'ban', until: number | null): RestrictionRow {
  const of = { app_id: 'app', conversation_id: 'room', user_id: 'bob', incarnation: 0 };
  return { ...of, kind, until, reason: null, created_by: null, created_at: 1 };
}

function inApp(until: number | null, kind: AppRestriction['kind'] = 'mute'): AppRestriction {
  return { kind, until, reason: null, created_at: 1 };
}

/** The kind and the scope of what is shown. */
function shown(row: RestrictionRow | undefined, app: AppRestriction | null): string {
  const restriction = shownRestriction(row, app, NOW);
  return restriction ? `${restriction.kind}${restriction.inApp ? ' in the application' : ''}` : 'none';
}

test('of two mutes the one that ends later is shown', () => {
  expect(shown(own('mute', NOW + 1), inApp(NOW + 2))).toBe('mute in the application');
  expect(shown(own('mute', NOW + 2), inApp(NOW + 1))).toBe('mute');
  expect(shown(own('mute', NOW + 1), inApp(null))).toBe('mute in the application');
  expect(shown(own('mute', null), inApp(null))).toBe('mute');
});

test('a ban in force is shown before any mute', () => {
  expect(shown(own('ban', NOW + 1), inApp(null))).toBe('ban');
  expect(shown(own('ban', NOW), inApp(null))).toBe('mute in the application');
});

test('neither a restriction that is over nor a shadow restriction is shown', () => {
  expect(shown(own('mute', NOW), inApp(NOW))).toBe('none');
  expect(shown(undefined, inApp(null, 'shadow'))).toBe('none');
  expect(shown(undefined, null)).toBe('none');
});
