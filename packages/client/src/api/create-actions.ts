import { act, discard, realId, retry } from '../pending/act.ts';
import { uuid7 } from '../uuid.ts';
import { createQuery, isSameArray } from '../query/live-query.ts';
import type { BasicIdentity } from '../records/records.ts';
import type { Context } from '../sync/context.ts';
import { typistsOf } from '../sync/ephemeral-state.ts';
import type { Attachments } from '../transfer/attachments.ts';
import type { Actions } from './actions.ts';
import type { Host } from './host.ts';
import { messagesQuery } from './list-queries.ts';
import type { MessageContent } from './message.ts';
import { readsQuery } from './reads.ts';
import { createSettling } from './settled.ts';
import { createTyping } from './typing.ts';

/** `attachments` stores and uploads the files of messages. */
export function createActions(
  host: Host,
  context: () => Promise<Context>,
  attachments: Attachments,
): Actions {
  const settled = createSettling(host);
  const typing = createTyping(host);
  return {
    get me() {
      return host.ctx?.me ?? '';
    },
    types: () => host.types,
    request: async (method, path, body) => {
      const { session } = await context();
      return (await session.send<unknown>({ method, path, ...(body !== undefined && { body }) })).body;
    },
    named: (identity) => host.views?.named(identity) ?? identity,
    newId: () => uuid7(),
    partsOf,
    attach: attachments.attach,
    uploadFiles: attachments.begin,
    dropFiles: attachments.drop,
    uploadsOf: attachments.uploadsOf,
    act: async (action, id) => act(await context(), action, id),
    async retry(which) {
      await retry(await context(), which);
      if (which.id !== undefined) await attachments.begin(which.id);
    },
    async discard(id) {
      await discard(await context(), id);
      await attachments.drop(id);
    },
    settled,
    shownMessage: (conversation, id) => host.views?.message(conversation, id),
    refreshMessage: (id) => host.ask({ name: 'readMessage', data: { id } }).then(() => undefined),
    refreshConversation: (id) => host.ask({ name: 'readConversation', data: { id } }).then(() => undefined),
    messages: (id, { pageSize } = {}) => messagesQuery(host, id, pageSize),
    typists: (id) => typistsQuery(host, id),
    reads: (id) => readsQuery(host, id),
    type: typing,
  };
}

function typistsQuery(host: Host, id: string) {
  return createQuery<readonly BasicIdentity[]>(host.publisher, {
    compute() {
      const { ctx, views } = host;
      if (!ctx || !views) return [];
      const { participants = [] } = views.conversation(id) ?? {};
      const ids = new Set(typistsOf(ctx.ephemeral, realId(ctx, id)));
      return participants.filter((one) => ids.has(one.id) && one.id !== ctx.me);
    },
    isSame: isSameArray,
  });
}

function partsOf(content: MessageContent): ReturnType<Actions['partsOf']> {
  const { text, parts = [], files = [], ...rest } = typeof content === 'string' ? { text: content } : content;
  const texts = text === undefined ? [] : [{ mime_type: 'text/plain', body: text }];
  return { parts: [...texts, ...parts], files, ...rest };
}
