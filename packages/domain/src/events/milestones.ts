import type { EventKind } from '../events.ts';

/** An id that no application has; its last digits identify a cell. */
const NO_APP = '00000000-0000-0000-0000-';

/**
 * Kinds of events on whose subjects services publish milestones: a service may publish its kind, and no consumer of another service
 * subscribes to that kind alone.
 */
const KINDS = {
  announcement: 'announcement.receipt',
  identity: 'session.ended',
  messaging: 'receipt.created',
  push: 'push.settled',
} as const satisfies Record<string, EventKind>;

/** `cell`: index of the service's cell; each cell has its own milestones. */
export function milestonesOf(service: keyof typeof KINDS, cell = 0): string {
  return `event.${NO_APP}${String(cell).padStart(12, '0')}.${KINDS[service]}`;
}
