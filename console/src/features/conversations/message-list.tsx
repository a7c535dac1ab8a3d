import { Box } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { Message } from '@parley/contract/gen/records';
import { useEffect, useRef } from 'react';
import type { AppIds } from '../../api/app-ids.ts';
import { Empty, Loaded } from '../../ui/page.tsx';
import { MessageCard } from './message-card.tsx';
import { messagesQuery } from './queries.ts';

type Props = { app: AppIds; id: string; mayWrite: boolean };

const ESTIMATED_PX = 110;
const MESSAGES_BEFORE_END = 15;
const REFETCH_MS = 5_000;

/** All messages of a conversation; only those in sight are in the document. */
export function MessageList(props: Props) {
  const query = useInfiniteQuery({
    ...messagesQuery(props.app, props.id),
    // A conversation that was read far back is not read again by itself.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFETCH_MS),
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const more = hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined;
  return (
    <Loaded query={query} what="the messages">
      {({ pages }) =>
        pages.every((page) => page.length === 0) ? (
          <Empty icon="conversations" title="There is no message yet">
            Send one above, as a participant or as a bot.
          </Empty>
        ) : (
          <Messages {...props} messages={pages.flat()} more={more} />
        )
      }
    </Loaded>
  );
}

/** `more`: reads the next page, if there is one that is not being read. */
type MessagesProps = Props & { messages: readonly Message[]; more: (() => void) | undefined };

function Messages({ messages, more, ...card }: MessagesProps) {
  const { scroller, height, measure, rows } = useMessagesInSight(messages, more);
  return (
    <Box className="message-scroller" ref={scroller} tabIndex={0} role="group" aria-label="Messages">
      <div role="list" className="message-list" style={{ height }}>
        {rows.map(({ index, start, key, message }) => (
          <div
            key={key}
            role="listitem"
            data-index={index}
            ref={measure}
            className="message-row"
            style={{ transform: `translateY(${start}px)` }}
          >
            <MessageCard {...card} message={message} />
          </div>
        ))}
      </div>
    </Box>
  );
}

/** The messages in sight. Asks for more before the last one is reached. */
function useMessagesInSight(messages: readonly Message[], more: (() => void) | undefined) {
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
  const rows = items.flatMap(({ index, start, key }) => {
    const message = messages[index];
    return message ? [{ index, start, key, message }] : [];
  });
  return { scroller, rows, height: virtualizer.getTotalSize(), measure: virtualizer.measureElement };
}
