import { createTold } from '../../test/support/told.ts';
import { checkSilent, type Silent, type SilentSocket } from './silent.ts';

const object = (type: string, id: string) => ({ type, id: `svc:///${type}/${id}` });
const change = (operation: string, type: string, id: string, data: unknown) => ({
  ...{ type: 'change', counter: 0, timestamp: '' },
  body: { operation, object: object(type, id), data },
});
const status = (value: string) =>
  change('update', 'Message', 'm', [
    { operation: 'set', property: 'recipient_status.svc:///identities/b\\.o%62', value },
  ]);
const unread = (value: number) =>
  change('update', 'Conversation', 'c', [{ operation: 'set', property: 'unread_message_count', value }]);
const allRead = {
  ...{ type: 'operation', counter: 0, timestamp: '' },
  body: {
    method: 'Conversation.mark_all_read',
    ...{ object: object('conversations', 'c'), data: { position: 3, identity: { user_id: 'b.ob' } } },
  },
};

const silent: Silent = {
  ...{ conversation: 'c', message: 'm', position: 3 },
  ...{ sender: 'ada', reader: 'b.ob', act: 'none' },
};

function socketOf(
  user: string,
  packets: Parameters<ReturnType<typeof createTold>['take']>[0][],
): SilentSocket {
  const told = createTold();
  for (const packet of packets) told.take(packet);
  return { user, socket: user, told, messages: new Set(['m']) };
}

test.each<[Silent['act'], string, Parameters<typeof socketOf>[1], string[]]>([
  ['none', 'ada', [], []],
  ['read', 'ada', [status('delivered'), status('read')], []],
  ['read', 'ada', [status('delivered')], ['ada: b.ob has read m, and this was not told']],
  ['allRead', 'ada', [allRead], []],
  ['allRead', 'ada', [], ['ada: b.ob has read m, and this was not told']],
  ['read', 'b.ob', [unread(1), unread(0)], []],
  ['read', 'b.ob', [unread(1)], ['b.ob: m was read, and 1 were told as unread last']],
  ['hide', 'b.ob', [change('delete', 'Message', 'm', { mode: 'my_devices' })], []],
  ['hide', 'b.ob', [], ['b.ob: the user hid m, and this was not told']],
  ['hide', 'ada', [], []],
])('%s, told to %s', (act, user, packets, problems) => {
  expect(checkSilent([{ ...silent, act }], [socketOf(user, packets)])).toEqual(problems);
});

test('a message that did not come is found', () => {
  const socket = { ...socketOf('ada', []), messages: new Set<string>() };
  expect(checkSilent([silent], [socket])).toEqual(['ada: m did not come, and then nothing else']);
});

test('a socket that begins anew is told of no message that its user has hidden before', () => {
  const one: Silent = { ...silent, act: 'hide' };
  const missed = (user: string) => ({ ...socketOf(user, []), messages: new Set<string>() });
  expect(checkSilent([one], [missed('b.ob')])).toEqual([]);
  expect(checkSilent([one], [missed('ada')])).toEqual(['ada: m did not come, and then nothing else']);
});
