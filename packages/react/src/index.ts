/**
 * Hooks for React 18 and 19. How to use them is described in [the guide](/guides/react/).
 *
 * @module @parley/react
 */

export { useAnnouncements, type AnnouncementList } from './announcements.ts';
export { useConversation, useConversations, useSuspenseConversations } from './conversations.ts';
export { useMessages, useSendMessage, useSuspenseMessages, type MessageList } from './messages.ts';
export {
  useConnection,
  usePresence,
  useReads,
  useTyping,
  useUnreadCount,
  type Presences,
  type Typing,
} from './presence.ts';
export { ParleyProvider, useClient, type ParleyProviderProps } from './provider.ts';
export { useUpload, type CurrentUpload } from './upload.ts';
export { useUserSearch, type UserSearch } from './user-search.ts';
