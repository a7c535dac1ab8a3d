import type { Conversation as ConversationRecord, Message as MessageRecord } from '@parley/client';
import { useConversation, useMessages } from '@parley/react';
import { useState, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import * as ui from '../src/index.ts';
import { showStyles } from '../src/style-sheet.ts';
import type { Reactions } from './reactions.ts';
import { ADA, GRACE } from './records.ts';
import { CONVERSATION, scriptedClient } from './scripted.ts';

const MESSAGES = 200;
const LANGUAGES = [ui.en, ui.de, ui.fr, ui.es, ui.ar, ui.ja];
const MARKDOWN = `**Bold**, _slanted_ and \`code\`, https://example.com

- a list
- of two

> a quotation

\`\`\`
const answer = 42;
\`\`\``;

/** Messages of two people; every third one is the user's own. */
const SAID = [
  'Did you see that the new engine runs through the night?',
  'Without anybody turning the crank. I could hardly believe it.',
  'I did! The table of Bernoulli numbers came out **without a fault**.',
  'Then we should write down how it is done, before we forget: https://example.com/notes',
  'I begin with the loop.',
  'Good. I take `the cards`, and you check them?',
  'Gladly. By the way, there was a moth in relay 70.',
  'A real one?',
  'A real one 😀 Put it into the log.',
];

/** Reactions to every other message. */
const REACTIONS: readonly Reactions[] = [
  { '👍': { count: 2, recent: [ADA.id, GRACE.id], own: true }, '🎉': { count: 1, recent: [GRACE.id] } },
  {},
  { '❤️': { count: 1, recent: [GRACE.id] } },
  {},
];

type Shown = { readonly conversation: ConversationRecord; readonly message: MessageRecord };

/** Each component as it is shown, by its name. */
const STORIES: Readonly<Record<string, (shown: Shown) => ReactElement>> = {
  Chat: () => <ui.Chat />,
  ConversationList: () => <ui.ConversationList selected={CONVERSATION} select={() => undefined} />,
  Conversation: () => <ui.Conversation conversationId={CONVERSATION} />,
  MessageList: ({ conversation }) => <ui.MessageList conversation={conversation} />,
  Message: ({ conversation, message }) => (
    <ui.Message conversation={conversation} message={message} isFirstOfGroup />
  ),
  MessageText: () => <ui.MessageText text={MARKDOWN} />,
  Reactions: ({ conversation, message }) => <ui.Reactions conversation={conversation} message={message} />,
  ReadReceipts: ({ conversation, message }) => (
    <ui.ReadReceipts conversation={conversation} message={message} />
  ),
  Composer: ({ conversation }) => <ui.Composer conversation={conversation} />,
  EmojiPicker: () => <ui.EmojiPicker pick={() => undefined} close={() => undefined} />,
  Avatar: ({ conversation: { participants } }) => (
    <>
      {participants.map((one) => (
        <ui.Avatar key={one.id} identities={[one]} size="large" />
      ))}
      <ui.Avatar identities={participants} size="large" />
    </>
  ),
  UserPicker: () => <ui.UserPicker pick={() => undefined} />,
  BlockMenu: ({ conversation }) => <BlockMenu conversation={conversation} />,
  ConversationDetails: ({ conversation }) => (
    <ui.ConversationDetails conversation={conversation} close={() => undefined} />
  ),
};

function BlockMenu({ conversation }: Pick<Shown, 'conversation'>): ReactElement | null {
  const [other] = conversation.others;
  return other ? <ui.BlockMenu identity={other} /> : null;
}

/** The component that is chosen, with records of the page's own. */
function Story({ name }: { name: string }): ReactElement | null {
  const conversation = useConversation(CONVERSATION);
  const { items } = useMessages(CONVERSATION);
  const message = items.findLast(({ isOwn, reactions }) => isOwn && Object.keys(reactions).length > 0);
  if (!conversation || !message) return null;
  return (
    <div className="story" data-story={name} key={name}>
      {STORIES[name]?.({ conversation, message })}
    </div>
  );
}

type Props = {
  readonly client: ReturnType<typeof scriptedClient>['client'];
  readonly theme: 'light' | 'dark';
};

function Stories({ client, theme }: Props): ReactElement {
  const [name, choose] = useState('Chat');
  const [language, speak] = useState('en');
  const texts = LANGUAGES.find((one) => one.language === language) ?? ui.en;
  return (
    <>
      <p className="story-choices">
        <label>
          Component{' '}
          <select value={name} onChange={({ target }) => choose(target.value)}>
            {Object.keys(STORIES).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Language{' '}
          <select value={language} onChange={({ target }) => speak(target.value)}>
            {LANGUAGES.map((one) => (
              <option key={one.language}>{one.language}</option>
            ))}
          </select>
        </label>
      </p>
      <ui.ParleyProvider client={client} texts={texts} theme={theme}>
        <Story name={name} />
      </ui.ParleyProvider>
    </>
  );
}

const STYLE = `:host { display: block; height: auto; overflow: visible }
.story-choices { display: flex; gap: 16px; margin: 0 0 12px; font: 14px/1.5 system-ui, sans-serif }
.story-choices select { font: inherit; color: inherit; background: transparent; border: 1px solid; border-radius: 6px; padding: 3px 6px }
.story-choices option { color: #14171c; background: #ffffff }
.story { position: relative; overflow: auto; padding: 12px; border: 1px solid var(--p-line); border-radius: 12px;
  font: var(--p-font); color: var(--p-text); background: var(--p-surface) }
.story:is([data-story=Chat], [data-story=ConversationList], [data-story=Conversation], [data-story=MessageList]) {
  display: flex; flex-direction: column; height: 520px; padding: 0; overflow: hidden }
.story .parley-details { width: auto; border: 0 }
.story > .parley-emoji-picker { position: static; box-shadow: none }
.story:is([data-story=BlockMenu], [data-story=UserPicker]) { min-height: 120px }`;

/** Stories in the page. */
export type OpenStories = { setTheme(theme: 'light' | 'dark'): void; close(): void };

/** Shows the components in an element, with a platform that is played in the page. */
export function openStories(place: HTMLElement): OpenStories {
  const tree = place.attachShadow({ mode: 'open' });
  showStyles(tree);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  tree.adoptedStyleSheets.push(sheet);
  const root = createRoot(tree);
  const { client } = scriptedClient(MESSAGES, {
    textAt: (position) => SAID[(position - 1) % SAID.length] ?? '',
    reactionsAt: (position) => REACTIONS[position % REACTIONS.length] ?? {},
    conversation: { roles: { [ADA.id]: 'owner' } },
  });
  return {
    setTheme: (theme) => root.render(<Stories client={client} theme={theme} />),
    close() {
      root.unmount();
      void client.destroy();
    },
  };
}
