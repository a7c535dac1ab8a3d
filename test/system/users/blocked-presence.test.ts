import { createApp, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { hasStep, type TestSocket } from '../../support/socket.ts';
import { until } from '../../support/until.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createApp(await platform());
});

test('between users of whom one blocks the other, neither sees the other’s presence', async () => {
  const [ann, bob] = [await app.login('presence-ann'), await app.login('presence-bob')];
  const cid = await app.login('presence-cid');
  const [anns, bobs, cids] = [await ann.connect(), await bob.connect(), await cid.connect()];
  const ids = [ann.id, bob.id];
  const statuses = async (socket: TestSocket): Promise<string[]> => {
    const { data } = await socket.request('Presence.sync', { data: { ids } });
    return data.changes.map((one: Json) => one.data[0].value);
  };
  for (const socket of [anns, bobs, cids]) await socket.request('Presence.subscribe', { data: { ids } });
  await until('both are connected', async () => (await statuses(cids)).every((one) => one === 'available'));
  await bob.call('PUT', `/blocks/${ann.id}`, 204);
  expect(await statuses(anns)).toEqual(['available', 'offline']);
  expect(await statuses(bobs)).toEqual(['offline', 'available']);
  const { body } = await ann.call('GET', `/identities/${bob.id}`, 200);
  expect(body.presence).toEqual({ status: 'offline', last_seen_at: null });
  for (const user of [ann, bob]) await user.call('PUT', '/presence', 204, { body: { status: 'busy' } });
  const isBusy = (user: TestUser) => (packet: { body: Json }) =>
    packet.body.object?.id === user.uri && hasStep(packet, ({ value }) => value === 'busy');
  for (const user of [ann, bob]) await cids.waitFor('busy', isBusy(user));
  await anns.waitFor('their own', isBusy(ann));
  await bobs.waitFor('their own', isBusy(bob));
  expect(anns.packets.some(isBusy(bob))).toBe(false);
  expect(bobs.packets.some(isBusy(ann))).toBe(false);
  await bob.call('DELETE', `/blocks/${ann.id}`, 204);
  expect(await statuses(anns)).toEqual(['busy', 'busy']);
  await Promise.all([anns, bobs, cids].map((socket) => socket.close()));
});
