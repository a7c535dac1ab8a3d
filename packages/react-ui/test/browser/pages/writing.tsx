import { createRoot } from 'react-dom/client';
import { ar, Chat, de, en, es, fr, ja, ParleyProvider } from '../../../src/index.ts';
import { ADA, CONVERSATION, GRACE } from '../../../stories/records.ts';
import { scriptedClient, type Scripted, type Step } from '../../../stories/scripted.ts';

const LANGUAGES = { ar, de, en, es, fr, ja };
const REACTED = { '👍': { count: 4, recent: [GRACE.id] }, tada: { count: 1, recent: [GRACE.id] } };

let platform: Scripted;

export type Start = {
  readonly language?: keyof typeof LANGUAGES;
  /** Ada's role. */
  readonly role?: string;
};

/** Shows a conversation of three messages, to the newest of which others have reacted. */
export function start({ language = 'en', role }: Start = {}): void {
  platform = scriptedClient(3, {
    textAt: (position) => `Message ${position}`,
    reactionsAt: (position) => (position === 3 ? REACTED : {}),
    conversation: role === undefined ? {} : { roles: { [ADA.id]: role } },
  });
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
  const until = new Date(Date.now() + lengthMs).toISOString();
  patch({
    operation: 'set',
    property: 'restriction',
    value: { type: 'mute', until, reason, scope: 'conversation' },
  });
}

/** The requests so far that contain a text. */
export function requested(text: string): string[] {
  return platform.requests.filter((request) => request.includes(text)).map(decodeURIComponent);
}
