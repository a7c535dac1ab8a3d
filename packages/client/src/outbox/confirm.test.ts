import type { Conversation } from '@parley/contract/gen/records';
import { createJournal } from '../sync/journal.ts';
import type { Change } from '../sync/records.ts';
import { CONVERSATION, conversationCreated, ME, testRecords } from '../sync/testing.ts';
import { applyConfirmed } from './confirm.ts';
import type { Operation } from './operation.ts';

const creation = conversationCreated();
const deletion: Change = {
  operation: 'delete',
  object: { type: 'Conversation', id: CONVERSATION },
  data: { mode: 'all_participants', from_position: null },
} as Change;

/** The device after packets that came while it created the conversation, and then the answer. */
async function afterAnswer(...packets: Change[]) {
  const records = await testRecords();
  await records.apply(...packets);
  const operation = { id: '1', order: 1, action: { kind: 'createConversation', conversation: CONVERSATION } };
  const draft = await records.change((changing) =>
    applyConfirmed({ me: ME, journal: createJournal() }, changing, {
      operation: operation as unknown as Operation,
      answer: (creation as { data: unknown }).data as Conversation,
      since: packets.map((change) => ({ change, timestamp: '' })),
    }),
  );
  return { conversation: records.conversation(), toRead: [...draft.missing.conversations] };
}

test('a conversation is there once it is created, before its packet and after it', async () => {
  expect((await afterAnswer()).conversation?.id).toBe(CONVERSATION);
  expect((await afterAnswer(creation)).conversation?.id).toBe(CONVERSATION);
});

test('an answer does not bring back a conversation that was deleted before it came', async () => {
  expect(await afterAnswer(creation, deletion)).toEqual({ conversation: undefined, toRead: [CONVERSATION] });
});
