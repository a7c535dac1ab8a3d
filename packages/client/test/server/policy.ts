import type { ServerWorld } from './world.ts';

/** Calls every operation of types, roles and restrictions. */
export async function expectPolicies({ server }: ServerWorld): Promise<void> {
  expect((await server.putType('support', { creator_role: 'owner' })).creator_role).toBe('owner');
  expect((await server.listTypes()).map(({ name }) => name)).toEqual(['default', 'support']);
  const { id } = await server.createConversation({ participants: ['ada', 'grace'], type: 'support' });
  await server.updateConversation(id, [{ operation: 'set', property: 'roles.ada', value: 'owner' }]);
  await server.putRestriction(id, 'grace', { type: 'mute', reason: 'Off topic' });
  expect((await server.listRestrictions(id)).map(({ reason }) => reason)).toEqual(['Off topic']);
  await server.deleteRestriction(id, 'grace');
  await server.putUserRestriction('bob', { type: 'mute' });
  await server.deleteUserRestriction('bob');
  const ada = server.as('ada');
  expect((await ada.listTypes()).map(({ name }) => name)).toContain('support');
  await ada.putRestriction(id, 'grace', { type: 'ban' });
  expect((await ada.listRestrictions(id)).map(({ type }) => type)).toEqual(['ban']);
  await ada.deleteRestriction(id, 'grace');
  await server.deleteConversation(id);
  await server.deleteType('support');
}

/** Calls every operation of reactions, and those that change the metadata of a message. */
export async function expectReactions({ server }: ServerWorld): Promise<void> {
  const { id } = await server.createConversation({ participants: ['ada', 'grace'], distinct: false });
  const sent = await server.sendMessage(id, {
    sender_id: 'ada',
    parts: [{ mime_type: 'text/plain', body: '1' }],
  });
  const messageId = sent?.id ?? '';
  const [ada, grace] = [server.as('ada'), server.as('grace')];
  await server.updateMessage(id, messageId, [{ operation: 'set', property: 'metadata.a', value: 1 }]);
  await ada.updateMessage(messageId, [{ operation: 'set', property: 'metadata.b', value: true }]);
  expect((await server.getMessage(id, messageId)).metadata).toEqual({ a: 1, b: true });
  await grace.react(messageId, '👍');
  expect((await server.listReactions(id, messageId)).map(({ key }) => key)).toEqual(['👍']);
  expect(await ada.listReactions(messageId, { key: '👍' })).toHaveLength(1);
  await grace.unreact(messageId, '👍');
  expect(await ada.listReactions(messageId)).toEqual([]);
}
