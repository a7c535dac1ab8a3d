/** Everything for a page without a bundler, in one module: React, the client, its hooks and the components. */

export { createClient, ParleyError } from '@parley/client';
export { indexedDbStorage, tabs } from '@parley/client/indexeddb';
export {
  useAnnouncements,
  useClient,
  useConnection,
  useConversation,
  useConversations,
  useMessages,
  usePresence,
  useReads,
  useSendMessage,
  useTyping,
  useUnreadCount,
  useUpload,
} from '@parley/react';
export { createElement, useEffect, useMemo, useRef, useState } from 'react';
export { createRoot } from 'react-dom/client';
export * from './index.ts';
export { showStyles } from './style-sheet.ts';
