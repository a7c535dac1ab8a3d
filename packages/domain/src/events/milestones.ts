import type { EventKind } from '../events.ts';

/** No application has it. */
const NO_APP = '00000000-0000-0000-0000-000000000000';

/** On what subject a service publishes its milestones: of a kind that it may publish, and that no consumer of another service asks for by itself. */
const KINDS = {
  announcement: 'announcement.receipt',
  identity: 'session.ended',
  messaging: 'receipt.created',
  push: 'push.settled',
} as const satisfies Record<string, EventKind>;

export function milestonesOf(service: keyof typeof KINDS): string {
  return `event.${NO_APP}.${KINDS[service]}`;
}
