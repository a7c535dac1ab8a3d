import type { Presence } from '@parley/contract/gen/records';
import type { Step } from '../records/records.ts';

/** Who types in which conversation, and the presence of users: it is passed on, and never kept. */
export type EphemeralState = {
  /** By conversation: URIs of the identities of those who type, with the time at which each is forgotten. */
  readonly typing: Map<string, Map<string, number>>;
  readonly presence: Map<string, Presence>;
  /** Identities whose presence is watched, and how many watch each. */
  readonly watched: Map<string, number>;
};

export type EphemeralChange =
  | {
      readonly kind: 'typing';
      readonly conversation: string;
      readonly identity: string;
      readonly isTyping: boolean;
    }
  | { readonly kind: 'presence'; readonly identity: string; readonly steps: readonly Step[] };

/** The platform ends an abandoned typing after ten seconds; a signal that says so may get lost. */
const TYPING_MS = 12_000;

export function createEphemeralState(): EphemeralState {
  return { typing: new Map(), presence: new Map(), watched: new Map() };
}

export function applyEphemeralChange(ephemeral: EphemeralState, message: EphemeralChange): void {
  if (message.kind === 'presence') {
    const before = ephemeral.presence.get(message.identity) ?? { status: 'offline', last_seen_at: null };
    const changes = message.steps.map(({ property, value }) => [property.replace('presence.', ''), value]);
    ephemeral.presence.set(message.identity, { ...before, ...Object.fromEntries(changes) } as Presence);
    return;
  }
  const { conversation, identity, isTyping } = message;
  const typists = new Map(ephemeral.typing.get(conversation));
  if (isTyping) typists.set(identity, Date.now() + TYPING_MS);
  else typists.delete(identity);
  ephemeral.typing.set(conversation, typists);
}

/** Who types now. */
export function typistsOf({ typing }: EphemeralState, conversation: string): string[] {
  const now = Date.now();
  return [...(typing.get(conversation) ?? [])].filter(([, until]) => until > now).map(([id]) => id);
}
