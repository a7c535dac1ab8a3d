type Paged = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** How a table asks for the next page, if there is one. */
export function pagesOf({ hasNextPage, isFetchingNextPage, fetchNextPage }: Paged): {
  more: (() => void) | undefined;
} {
  return { more: hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined };
}
