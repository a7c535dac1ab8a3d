import type { ComponentType } from 'react';
import type { AttachmentProps } from './attachment.tsx';
import type { AvatarProps } from './avatar.tsx';
import type { BlockMenuProps } from './block-menu.tsx';
import type { ComposerProps } from './composer.tsx';
import type { ConversationDetailsProps } from './conversation-details.tsx';
import type { ConversationListProps } from './conversation-list.tsx';
import type { ConversationProps } from './conversation.tsx';
import type { EmojiPickerProps } from './emoji-picker.tsx';
import type { MessageListProps } from './message-list.tsx';
import type { MessageTextProps } from './message-text.tsx';
import type { MessageProps } from './message.tsx';
import type { PresenceDotProps } from './presence-dot.tsx';
import type { ReactionsProps } from './reactions.tsx';
import type { ReadReceiptsProps } from './read-receipts.tsx';
import type { TypingIndicatorProps } from './typing-indicator.tsx';
import type { UserPickerProps } from './user-picker.tsx';

/** Every part of the chat, by its name; each may be replaced by another one with the same properties. */
export type Components = {
  readonly Attachment: ComponentType<AttachmentProps>;
  readonly Avatar: ComponentType<AvatarProps>;
  readonly BlockMenu: ComponentType<BlockMenuProps>;
  readonly Composer: ComponentType<ComposerProps>;
  readonly Conversation: ComponentType<ConversationProps>;
  readonly ConversationDetails: ComponentType<ConversationDetailsProps>;
  readonly ConversationList: ComponentType<ConversationListProps>;
  readonly EmojiPicker: ComponentType<EmojiPickerProps>;
  readonly Message: ComponentType<MessageProps>;
  readonly MessageList: ComponentType<MessageListProps>;
  /** The text of a message. */
  readonly MessageText: ComponentType<MessageTextProps>;
  readonly PresenceDot: ComponentType<PresenceDotProps>;
  readonly Reactions: ComponentType<ReactionsProps>;
  readonly ReadReceipts: ComponentType<ReadReceiptsProps>;
  readonly TypingIndicator: ComponentType<TypingIndicatorProps>;
  readonly UserPicker: ComponentType<UserPickerProps>;
};
