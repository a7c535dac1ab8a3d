import type { BasicIdentity, Conversation } from '@parley/contract/gen/records';
import { uuidOf } from '../../api/app-ids.ts';

/** Name of a sender or participant; null is the platform itself. */
export function nameOf(identity: BasicIdentity | null): string {
  return identity === null ? 'the platform' : (identity.display_name ?? identity.user_id);
}

export function namesOf(participants: Conversation['participants']): string {
  if (participants.length === 0) return 'no participants';
  return participants.map(nameOf).join(', ');
}

/** The user id in the URI of an identity. */
export function userIdOf(identity: string): string {
  const encoded = uuidOf(identity);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
