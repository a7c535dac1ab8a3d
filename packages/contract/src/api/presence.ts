import { PresenceInput } from '../records/presence.ts';
import type { Operations } from './operation.ts';

export const PRESENCE = {
  choosePresence: {
    route: 'PUT /presence',
    docs: 'users.md#presence',
    auth: 'session',
    operator: 'operator: users',
    summary: 'Choose what to appear as',
    tag: 'Presence',
    description:
      'Chooses what the user appears as. Without a choice they are available while connected, and offline otherwise.',
    body: { schema: PresenceInput, example: { status: 'busy' }, required: true },
    success: { 204: { description: 'The choice is kept.' } },
    errors: ['missing_property', 'invalid_property'],
  },
} satisfies Operations;
