/**
 * Components for React 18 and 19 that show a user's conversations. How to use them is described in the README.
 *
 * @module @parley/react-ui
 */

export { Attachment, type AttachmentProps } from './attachment.tsx';
export { Avatar, type AvatarProps } from './avatar.tsx';
export { BlockMenu, type BlockMenuProps } from './block-menu.tsx';
export { Chat, type ChatProps } from './chat.tsx';
export type { Components } from './components.ts';
export { Composer, type ComposerProps } from './composer.tsx';
export { ConversationDetails, type ConversationDetailsProps } from './conversation-details.tsx';
export { ConversationList, type ConversationListProps } from './conversation-list.tsx';
export { Conversation, type ConversationProps } from './conversation.tsx';
export { useDraft } from './drafts.ts';
export { EmojiPicker, type EmojiPickerProps } from './emoji-picker.tsx';
export { MessageList, type MessageListProps } from './message-list.tsx';
export { MessageText, type MessageTextProps } from './message-text.tsx';
export { Message, type MessageProps } from './message.tsx';
export { PresenceDot, type PresenceDotProps } from './presence-dot.tsx';
export { ParleyProvider, type ParleyProviderProps } from './provider.tsx';
export { Reactions, type ReactionsProps } from './reactions.tsx';
export { ReadReceipts, type ReadReceiptsProps } from './read-receipts.tsx';
export { useLanguage, type Language } from './settings.ts';
export { ar, de, en, es, fr, ja, type Counted, type Texts } from './texts/index.ts';
export { TypingIndicator, type TypingIndicatorProps } from './typing-indicator.tsx';
export { UserPicker, type UserPickerProps } from './user-picker.tsx';
