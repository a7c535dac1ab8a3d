import type { ConversationType } from '@parley/client';
import { createRoot } from 'react-dom/client';
import { ar, Chat, de, en, es, fr, ja, ParleyProvider } from '../../../src/index.ts';
import { ADA, CONVERSATION, GRACE } from '../../../stories/records.ts';
import { scriptedClient, type Scripted, type Step } from '../../../stories/scripted.ts';
import { DEFAULT_TYPE } from '../../../stories/type.ts';

const LANGUAGES = { ar, de, en, es, fr, ja };
const REACTED = { '👍': { count: 4, recent: [GRACE.id] }, tada: { count: 1, recent: [GRACE.id] } };

let platform: Scripted;

export type Start = {
  readonly language?: keyof typeof LANGUAGES;
  /** Ada's role. */
  readonly role?: string;
  /** More keys of the conversation. */
  readonly conversation?: object;
  /** Rules of the type `default`. */
  readonly rules?: Partial<ConversationType>;
  /** Grace is muted for so many milliseconds. */
  readonly graceMutedMs?: number;
  /** How far the platform's clock is ahead, in milliseconds. */
  readonly aheadMs?: number;
  /** Parts of requests that are refused from the beginning. */
  readonly refused?: readonly string[];
};

/** Shows a conversation of three messages, to the newest of which others have reacted. */
export function start(options: Start = {}): void {
  const { language = 'en', role, conversation, rules, graceMutedMs, aheadMs = 0, refused = [] } = options;
  platform = scriptedClient(3, {
    textAt: (position) => `Message ${position}`,
    reactionsAt: (position) => (position === 3 ? REACTED : {}),
    conversation: Object.assign(role === undefined ? {} : { roles: { [ADA.id]: role } }, conversation),
    types: [Object.assign({}, DEFAULT_TYPE, rules)],
    restrictions:
      graceMutedMs === undefined
        ? []
        : [{ user: GRACE, type: 'mute', until: later(graceMutedMs), reason: null }],
    aheadMs,
  });
  platform.refuse(...refused);
  const root = document.body.appendChild(document.createElement('main'));
  createRoot(root).render(
    <ParleyProvider client={platform.client} texts={LANGUAGES[language]}>
      <Chat conversationId={CONVERSATION} />
    </ParleyProvider>,
  );
}

/** Steps of an update of the conversation arrive. */
export function patch(...steps: Step[]): void {
  platform.patch(...steps);
}

/** A mute of so many milliseconds arrives. */
export function mute(lengthMs: number, reason: string | null = null): void {
  patch({
    operation: 'set',
    property: 'restriction',
    value: { type: 'mute', until: later(lengthMs), reason, scope: 'conversation' },
  });
}

/** The mute of the user ends, of which no packet tells. */
export function liftSilently(): void {
  platform.change({ restriction: undefined });
}

/** Requests of which the method and the path contain one of these texts are refused from now on, and no others. */
export function refuse(...parts: string[]): void {
  platform.refuse(...parts);
}

/** The connection ends, and the client opens another one. */
export function reconnect(): void {
  platform.disconnect();
}

/** The requests so far that contain a text. */
export function requested(text: string): string[] {
  return platform.requests.filter((request) => request.includes(text)).map(decodeURIComponent);
}

function later(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}
