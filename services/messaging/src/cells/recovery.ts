import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ConversationReachSchema,
  MessagingRecoveryService,
} from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { byText, groupByCell, mergeSorted } from './divide.ts';
import type { Dividing } from './mount.ts';

type Keyed = { appId?: string; userId?: string; blockedUserId?: string; ownerUserId?: string };
type Reach = MessageInitShape<typeof ConversationReachSchema>;

function byKey(one: Keyed, other: Keyed): number {
  for (const name of ['appId', 'userId', 'blockedUserId', 'ownerUserId'] as const) {
    const order = byText(one[name] ?? '', other[name] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

function byReach(one: Reach, other: Reach): number {
  return (
    byText(one.appId ?? '', other.appId ?? '') ||
    byText(one.conversationId ?? '', other.conversationId ?? '') ||
    (one.seq ?? 0) - (other.seq ?? 0)
  );
}

/** Pages go through the rows of all cells in the order of their keys: a page has no more rows than the longest of a cell. */
function pageOf<T extends Keyed>(lists: readonly (readonly T[])[]): T[] {
  return mergeSorted(lists, byKey, Math.max(...lists.map((list) => list.length)));
}

export const RECOVERY_IN_CELLS: Dividing<typeof MessagingRecoveryService> = {
  async beginRecovery(request, { calls, call }) {
    for (const begin of calls) await begin(request, call);
    return {};
  },
  async listIdentityCopies(request, { calls, call }) {
    const answers = await Promise.all(calls.map(async (list) => list(request, call)));
    return { copies: pageOf(answers.map(({ copies = [] }) => copies)) };
  },
  async listBlockCopies(request, { calls, call }) {
    const answers = await Promise.all(calls.map(async (list) => list(request, call)));
    return { copies: pageOf(answers.map(({ copies = [] }) => copies)) };
  },
  async listShorterConversations(request, { calls, cells, call }) {
    const groups = await groupByCell(cells, request.conversations);
    const answers = await Promise.all(
      groups.map(async ({ cell, items }) => calls[cell]!({ ...request, conversations: items }, call)),
    );
    return { conversations: answers.flatMap(({ conversations = [] }) => conversations) };
  },
  // A message behind the place where the page ends is named on the next page again, which does no harm.
  async listContentMessages(request, { calls, call }) {
    const answers = await Promise.all(calls.map(async (list) => list(request, call)));
    const [last] = answers.flatMap((answer) => answer.last ?? []).sort(byReach);
    return { messages: answers.flatMap(({ messages = [] }) => messages), ...(last && { last }) };
  },
  async findContentMessages(request, { calls, cells, call }) {
    const groups = await groupByCell(cells, request.messages);
    const answers = await Promise.all(
      groups.map(async ({ cell, items }) => calls[cell]!({ ...request, messages: items }, call)),
    );
    return { messages: answers.flatMap(({ messages = [] }) => messages) };
  },
};
