import type { Presence } from '@parley/contract/gen/records';
import type { Signal, Socket } from '../connection/socket.ts';
import type { Change, Step } from '../records/records.ts';
import type { Context } from './context.ts';
import { post } from './post.ts';

/** Typing users by conversation, and the presence of users: passed on, and never stored. */
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

/** Says that the user types. */
export type TypingSignal = {
  readonly type: 'typing_indicator';
  readonly object: { readonly id: string };
  readonly data: { readonly action: 'started' | 'finished' };
};

/** The platform ends an abandoned typing after ten seconds; a signal that says so may get lost. */
const TYPING_MS = 12_000;

const UNKNOWN: Presence = { status: 'offline', last_seen_at: null };

export function createEphemeralState(): EphemeralState {
  return { typing: new Map(), presence: new Map(), watched: new Map() };
}

/** Shows a change in this tab. */
export function applyEphemeralChange({ ephemeral, changed }: Context, change: EphemeralChange): void {
  const { typing, presence } = ephemeral;
  if (change.kind === 'presence') {
    const changes = change.steps.map(({ property, value }) => [property.replace('presence.', ''), value]);
    const before = presence.get(change.identity) ?? UNKNOWN;
    presence.set(change.identity, Object.assign({}, before, Object.fromEntries(changes)));
  } else {
    const { conversation, identity, isTyping } = change;
    const typists = new Map(typing.get(conversation));
    if (isTyping) typists.set(identity, Date.now() + TYPING_MS);
    else typists.delete(identity);
    typing.set(conversation, typists);
  }
  changed([], false);
}

/** Lists the users who type now, by the URIs of their identities. */
export function typistsOf({ typing }: EphemeralState, conversation: string): string[] {
  const now = Date.now();
  return [...(typing.get(conversation) ?? [])].filter(([, until]) => until > now).map(([id]) => id);
}

/** Subscribes to the presence of the users whose presence is shown, and reads it. */
export function watchPresence(ctx: Context, socket: Socket | undefined, some?: readonly string[]): void {
  const ids = some ?? [...ctx.ephemeral.watched.keys()];
  if (!socket || ids.length === 0) return;
  const request = async (): Promise<void> => {
    await socket.request('Presence.subscribe', { ids });
    const { changes } = await socket.request<{ changes: readonly Change[] }>('Presence.sync', { ids });
    for (const change of changes) showPresence(ctx, change);
  };
  request().catch((error: unknown) => ctx.diagnose('presence_unknown', { reason: String(error) }));
}

/** Shows the presence that a change of an identity has, if it has any. */
export function showPresence(ctx: Context, change: Change): void {
  if ('method' in change || change.object.type !== 'Identity' || change.operation !== 'update') return;
  const steps = change.data.filter(({ property }: Step) => property.startsWith('presence.'));
  if (steps.length > 0) show(ctx, { kind: 'presence', identity: change.object.id, steps });
}

/** Shows that another user types. */
export function showTyping(ctx: Context, { type, object, data }: Signal): void {
  if (type !== 'typing_indicator') return;
  const isTyping = data.action === 'started';
  show(ctx, { kind: 'typing', conversation: object.id, identity: data.sender.id, isTyping });
}

/** Shows a change here and in the other tabs. */
function show(ctx: Context, change: EphemeralChange): void {
  applyEphemeralChange(ctx, change);
  post(ctx, change);
}
