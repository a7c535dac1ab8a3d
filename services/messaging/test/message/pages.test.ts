import { messagesBefore, type PageBounds } from '../../src/sql/message/message-list.ts';
import { createRoom, listAll, type Room } from '../support/actions.ts';
import { makeHistory } from '../support/history.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

const SIZE = 20_000;

let service: TestMessaging;
let room: Room;
beforeAll(async () => {
  service = await startMessaging();
  room = await createRoom(service, ['user 0', 'user 1']);
  await makeHistory(service, room, SIZE);
  await fillTables();
  await service.ctx.db.execute({ text: 'analyze message, participant_block, identity_copy' });
}, 60_000);
afterAll(() => service?.stop());

// Enough rows to tell a plan that reads too many of them.
async function fillTables(): Promise<void> {
  await service.ctx.db.execute({
    text: `
      insert into participant_block (app_id, conversation_id, user_id, block, read, delivered, hidden)
      select $1, $2, 'user ' || number, block, bits, bits, bits
      from generate_series(2, 200) as number, generate_series(0, 20) as block, decode(repeat('00', 32), 'hex') as bits`,
    values: [room.appId, room.conversationId],
  });
  await service.ctx.db.execute({
    text: `
      insert into identity_copy (app_id, user_id, version)
      select $1, 'user ' || number, 1 from generate_series(2, 2000) as number`,
    values: [room.appId],
  });
}

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Node[];
};

async function explain(bounds: Partial<PageBounds>, mode: string): Promise<Node[]> {
  const page = {
    appId: room.appId,
    conversationId: room.conversationId,
    userId: null,
    after: 0,
    before: SIZE + 1,
  };
  const { text, values } = messagesBefore({ ...page, limit: 100, ...bounds });
  const rows = await service.ctx.db.tx(async (tx) => {
    await tx.execute({ text: `set local plan_cache_mode = ${mode}` });
    return tx.query<{ 'QUERY PLAN': { Plan: Node }[] }>({
      text: `explain (analyze, format json) ${text}`,
      values,
    });
  });
  return flatten(rows[0]!['QUERY PLAN'][0]!.Plan);
}

function flatten(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

const depths = [SIZE + 1, SIZE / 2, 150];
const modes = ['force_custom_plan', 'force_generic_plan'];
const readers = [null, 'user 1'];
const cases = depths.flatMap((before) =>
  modes.flatMap((mode) => readers.map((userId) => ({ before, mode, userId }))),
);

test.each(cases)(
  'a page before $before is one range of an index ($mode, $userId)',
  async ({ mode, ...bounds }) => {
    const nodes = await explain(bounds, mode);
    const onMessages = nodes.filter((node) => node['Relation Name'] === 'message');
    expect(onMessages.map((node) => node['Node Type'])).toEqual(['Index Scan']);
    for (const node of nodes) expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(100);
  },
);

test('paging reaches every message once', async () => {
  const { messages, total } = await listAll(service, room, 'user 1', 20);
  const positions = messages.map(({ message }) => message.position);
  expect(positions).toEqual(Array.from({ length: 2000 }, (_, index) => SIZE - index));
  expect(total).toBe(SIZE);
});
