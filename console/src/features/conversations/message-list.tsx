import { Box } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { Message } from '@parley/contract/gen/records';
import { useEffect, useRef } from 'react';
import { listQuery } from '../../api/queries.ts';
import type { AppIds } from '../../api/rest.ts';
import { Empty, Loaded } from '../../ui/page.tsx';
import { pagesOf } from './pages-of.ts';
import { MessageCard } from './message-card.tsx';

type Props = { app: AppIds; path: string; mayWrite: boolean };

const ESTIMATED_PX = 110;
const MESSAGES_BEFORE_END = 15;
const REFETCH_MS = 5_000;

export function messagesQuery(app: AppIds, path: string) {
  return listQuery<Message>(app, `${path}/messages`);
}

/** All messages of a conversation; only those in sight are in the page. */
export function MessageList({ app, path, mayWrite }: Props) {
  const options = messagesQuery(app, path);
  const query = useInfiniteQuery({
    ...options,
    // A conversation that was read far back is not read again by itself.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFETCH_MS),
  });
  return (
    <Loaded query={query} what="the messages">
      {({ pages }) => {
        const messages = pages.flatMap(({ data }) => data);
        return messages.length === 0 ? (
          <Empty icon="conversations" title="There is no message yet">
            Send one above, as a participant or as a bot.
          </Empty>
        ) : (
          <Messages {...{ app, path, mayWrite, messages }} more={pagesOf(query).more} />
        );
      }}
    </Loaded>
  );
}

function Messages({
  messages,
  more,
  app,
  path,
  mayWrite,
}: Props & { messages: readonly Message[]; more: (() => void) | undefined }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_PX,
    getItemKey: (index) => messages[index]?.id ?? index,
    overscan: 6,
  });
  const items = virtualizer.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && lastIndex >= messages.length - MESSAGES_BEFORE_END) more();
  }, [more, lastIndex, messages.length]);
  return (
    <Box className="message-scroller" ref={scroller} tabIndex={0} role="group" aria-label="Messages">
      <div role="list" className="message-list" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start, key }) => {
          const message = messages[index];
          return (
            message && (
              <div
                key={key}
                role="listitem"
                data-index={index}
                ref={virtualizer.measureElement}
                className="message-row"
                style={{ transform: `translateY(${start}px)` }}
              >
                <MessageCard app={app} path={path} message={message} mayWrite={mayWrite} />
              </div>
            )
          );
        })}
      </div>
    </Box>
  );
}
