import type { Message } from '@parley/contract/gen/records';
import { memoryStorage } from '../../src/store/memory.ts';
import { alone } from '../../src/tabs/coordinator.ts';
import { pendingListener } from '../../src/pending/listener.ts';
import { recordStore, type RecordStore } from '../../src/records/rows.ts';
import { applyChange, neededFor } from '../../src/sync/apply/change.ts';
import { absorb, emptyRecords, type Records } from '../../src/records/in-memory.ts';
import { WriteBatch } from '../../src/records/write-batch.ts';
import type { Change, StoredConversation } from '../../src/records/records.ts';

export const ME = 'svc:///identities/ada';
export const CONVERSATION = 'svc:///conversations/c';

/** Records in memory, for tests and benches. */
export type TestRecords = {
  readonly inMemory: Records;
  readonly store: RecordStore;
  change(work: (batch: WriteBatch) => void): Promise<WriteBatch>;
  /** Applies changes as those of one batch of packets. */
  apply(...changes: Change[]): Promise<WriteBatch>;
  conversation(): StoredConversation | undefined;
};

export async function testRecords(): Promise<TestRecords> {
  const opened = await memoryStorage().open('test');
  const store = recordStore(opened);
  const listening = { me: ME, coordinator: alone({ name: 'test', store: opened }), sent: () => undefined };
  const inMemory = emptyRecords();
  async function change(work: (batch: WriteBatch) => void | Promise<void>): Promise<WriteBatch> {
    const batch = new WriteBatch(store, inMemory);
    await work(batch);
    await store.write(batch.writes());
    absorb(inMemory, batch.writes());
    return batch;
  }
  return {
    inMemory,
    store,
    change,
    apply: (...changes) =>
      change(async (batch) => {
        const { messages, conversations } = neededFor(changes);
        await batch.prefetch(messages, conversations);
        for (const one of changes) {
          applyChange(batch, { change: one, timestamp: '2026-11-22T12:00:00.000Z' }, ME);
          pendingListener.applied(listening, batch, one);
        }
      }),
    conversation: () => inMemory.conversations.get(CONVERSATION),
  };
}

/** A message of Grace, unless it says otherwise. */
export function messageAt(position: number, more: Partial<Message> = {}): Message {
  const id = `svc:///messages/${position}`;
  return {
    id,
    url: '',
    receipts_url: null,
    position,
    conversation: { id: CONVERSATION, url: '' },
    parts: [textPart(id, `text ${position}`)],
    sent_at: new Date(Date.UTC(2026, 10, 22) + position * 1000).toISOString(),
    received_at: null,
    sender: {
      id: 'svc:///identities/grace',
      url: '',
      user_id: 'grace',
      display_name: 'Grace',
      avatar_url: null,
    },
    is_unread: true,
    recipient_status: { [ME]: 'sent', 'svc:///identities/grace': 'read' },
    updated_at: null,
    ...more,
  };
}

function textPart(message: string, body: string): Message['parts'][number] {
  const common = {
    url: '',
    message_url: '',
    mime_type: 'text/plain',
    encoding: null,
    content: null,
    updated_at: null,
  };
  return { id: `${message}/parts/1`, body, ...common };
}

export function messageCreated(message: Message): Change {
  return { operation: 'create', object: { type: 'Message', id: message.id }, data: message };
}

export function messageDeleted(position: number): Change {
  const id = messageAt(position).id;
  return { operation: 'delete', object: { type: 'Message', id }, data: { mode: 'all_participants' } };
}

/** The conversation of Ada and Grace, as a packet shows it. */
export function conversationCreated(last: Message | null = null, unread = 0): Change {
  const named = (user_id: string) => {
    const id = `svc:///identities/${user_id}`;
    return { id, url: '', user_id, display_name: null, avatar_url: null };
  };
  const data = {
    id: CONVERSATION,
    url: '',
    messages_url: '',
    created_at: '2026-11-22T00:00:00.000Z',
    participants: [named('ada'), named('grace')],
    distinct: false,
    metadata: {},
    last_message: last,
    unread_message_count: unread,
    total_message_count: last?.position ?? 0,
  };
  return { operation: 'create', object: { type: 'Conversation', id: CONVERSATION }, data };
}

export function conversationUpdated(...data: Extract<Change, { operation: 'update' }>['data']): Change {
  return { operation: 'update', object: { type: 'Conversation', id: CONVERSATION }, data };
}
