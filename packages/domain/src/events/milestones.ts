import type { EventKind } from '../events.ts';

/** No application has such an id; the digits at its end are those of a cell. */
const NO_APP = '00000000-0000-0000-0000-';

/** Kinds of events on whose subjects services publish milestones: a service may publish that kind, and no consumer of another service asks for it alone. */
const KINDS = {
  announcement: 'announcement.receipt',
  identity: 'session.ended',
  messaging: 'receipt.created',
  push: 'push.settled',
} as const satisfies Record<string, EventKind>;

/** `cell`: the index of a cell of the service, each of which has milestones of its own. */
export function milestonesOf(service: keyof typeof KINDS, cell = 0): string {
  return `event.${NO_APP}${String(cell).padStart(12, '0')}.${KINDS[service]}`;
}
