import type { Client } from '@parley/client';
import { ParleyProvider as ClientProvider } from '@parley/react';
import { useMemo, type ReactElement, type ReactNode } from 'react';
import { Attachment } from './attachment.tsx';
import { Avatar } from './avatar.tsx';
import { BlockMenu } from './block-menu.tsx';
import type { Components } from './components.ts';
import { Composer } from './composer.tsx';
import { ConversationDetails } from './conversation-details.tsx';
import { ConversationList } from './conversation-list.tsx';
import { Conversation } from './conversation.tsx';
import { useForgottenDrafts } from './drafts.ts';
import { EmojiPicker } from './emoji-picker.tsx';
import { MessageList } from './message-list.tsx';
import { MessageText } from './message-text.tsx';
import { Message } from './message.tsx';
import { PresenceDot } from './presence-dot.tsx';
import { Reactions } from './reactions.tsx';
import { ReadReceipts } from './read-receipts.tsx';
import { createLanguage, SettingsContext } from './settings.ts';
import { en } from './texts/en.ts';
import type { Texts } from './texts/texts.ts';
import { TypingIndicator } from './typing-indicator.tsx';
import { UserPicker } from './user-picker.tsx';

const DEFAULTS: Components = {
  Attachment,
  Avatar,
  BlockMenu,
  Composer,
  Conversation,
  ConversationDetails,
  ConversationList,
  EmojiPicker,
  Message,
  MessageList,
  MessageText,
  PresenceDot,
  Reactions,
  ReadReceipts,
  TypingIndicator,
  UserPicker,
};

/** Properties of the provider. */
export type ParleyProviderProps = {
  /** The client of the user. Create it once, outside of components; null on a server and until the user has logged in. */
  readonly client: Client | null;
  /** Texts of a language, such as `de` of this package; by default English. Keep the same object between renderings. */
  readonly texts?: Texts;
  /** `auto`: as the system or the page is. By default `auto`. */
  readonly theme?: 'light' | 'dark' | 'auto';
  /** Components instead of those of the package. Keep the same object between renderings. */
  readonly components?: Partial<Components>;
  readonly children?: ReactNode;
};

/**
 * Gives the client, the language, the theme and the application's own components to the components below it, and to the hooks
 * of `@parley/react`.
 *
 * @param props The client, and how the chat looks.
 * @returns The element, which takes no place in the layout.
 * @example
 * <ParleyProvider client={client} texts={de} components={{ Message: MyMessage }}><Chat /></ParleyProvider>
 */
export function ParleyProvider({
  client,
  texts = en,
  theme = 'auto',
  components,
  children,
}: ParleyProviderProps): ReactElement {
  const settings = useMemo(
    () => ({ components: Object.assign({}, DEFAULTS, components), language: createLanguage(texts) }),
    [texts, components],
  );
  useForgottenDrafts(client);
  return (
    <ClientProvider client={client}>
      <SettingsContext.Provider value={settings}>
        <div className="parley" data-theme={theme} dir={texts.direction} lang={texts.language}>
          {children}
        </div>
      </SettingsContext.Provider>
    </ClientProvider>
  );
}
