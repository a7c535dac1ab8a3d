import type { BasicIdentity, Conversation, Message } from '@parley/client';
import { useClient } from '@parley/react';
import { createContext, useContext, useState, type ReactElement } from 'react';
import { Icon } from './icon.tsx';
import { nameOf } from './names.ts';
import { useRefusal } from './refusals.ts';
import { useLanguage, type Language } from './settings.ts';
import { useRules } from './types.ts';

/** Properties of the reactions. */
export type ReactionsProps = {
  readonly message: Message;
  readonly conversation: Conversation;
};

/**
 * The reactions to a message: each key with its count and, as its title, who reacted last. A press gives the user's own, or takes it back.
 *
 * @param props The message, and its conversation.
 * @returns The element; null without any reaction.
 * @example <Reactions message={message} conversation={conversation} />
 */
export function Reactions({ message, conversation }: ReactionsProps): ReactElement | null {
  const language = useLanguage();
  const me = useClient()?.user?.id;
  const canReact = useCanReact(message, conversation);
  const entries = Object.entries(message.reactions);
  if (entries.length === 0) return null;
  return (
    <div className="parley-reactions" role="group" aria-label={language.texts.reactions}>
      {entries.map(([key, { count, recent, own = false }]) => {
        const label = describe(
          { key, count, names: namesOf(recent, conversation.participants, me, language) },
          language,
        );
        return (
          <button
            key={key}
            type="button"
            aria-pressed={own}
            aria-label={label}
            title={label}
            disabled={!canReact}
            onClick={() => toggle(message, key)}
          >
            <bdi>{key}</bdi> <span>{count}</span>
          </button>
        );
      })}
    </div>
  );
}

/** When the user's mute ended by the clock: messages, which are not rendered again by themselves, notice it by this. */
export const MuteEnd = createContext(0);

/** Whether the user may react to a message at the moment. */
export function useCanReact({ state }: Message, conversation: Conversation): boolean {
  useRules(conversation);
  useContext(MuteEnd);
  return state === 'sent' && conversation.can('react');
}

/** Gives the user's reaction with a key, or takes it back. A refusal undoes it, and `RefusedReaction` says why. */
export function toggle(message: Message, key: string): void {
  const isOwn = Object.hasOwn(message.reactions, key) && message.reactions[key]?.own;
  const change = isOwn ? message.unreact(key) : message.react(key);
  // Only a full or closed device refuses to keep it, which the chat shows elsewhere.
  change.catch(() => undefined);
}

const REACTING = ['react', 'unreact'];

/** Says why the platform refused a reaction of the user, until they close it. */
export function RefusedReaction({ conversationId }: { conversationId: string }): ReactElement | null {
  const { texts } = useLanguage();
  const [problem, setProblem] = useState('');
  useRefusal(conversationId, REACTING, setProblem);
  if (problem === '') return null;
  return (
    <p className="parley-problem parley-refused" role="alert">
      {problem}
      <button type="button" className="parley-button" aria-label={texts.close} onClick={() => setProblem('')}>
        <Icon name="close" />
      </button>
    </p>
  );
}

type Described = { readonly key: string; readonly count: number; readonly names: readonly string[] };

/** Describes a reaction, as in “👍: Ada, Grace and 2 others”. */
function describe({ key, count, names }: Described, { texts, count: counted, list }: Language): string {
  const rest = count - names.length;
  const people = rest > 0 ? [...names, counted(texts.otherPeople, rest)] : names;
  return `${key}: ${list(people)}`;
}

function namesOf(
  ids: readonly string[],
  participants: readonly BasicIdentity[],
  me: string | undefined,
  language: Language,
): readonly string[] {
  return ids.flatMap((id) => {
    if (id === me) return [language.texts.you];
    const one = participants.find((participant) => participant.id === id);
    return one ? [nameOf(one, language)] : [];
  });
}
