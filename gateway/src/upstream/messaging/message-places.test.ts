import { create } from '@parley/codec';
import { newId } from '@parley/domain/ids';
import { MessageSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import { createMessagePlaces } from './message-places.ts';

const MAX_NOTED = 20_000;
const PLACE = { conversationId: newId(), position: 7, senderId: 'ada' };

function message(id: string) {
  const { senderId: userId, ...place } = PLACE;
  return create(MessageSchema, { id, ...place, sender: { userId } });
}

test('the place of a message that was noted is known', () => {
  const places = createMessagePlaces();
  const [app, id] = [newId(), newId()];
  expect(places.find(app, id)).toBeUndefined();
  places.note(app, message(id));
  expect(places.find(app, id)).toEqual({ appId: app, ...PLACE });
});

test('a message of another application with the same id is not found', () => {
  const places = createMessagePlaces();
  const id = newId();
  places.note(newId(), message(id));
  expect(places.find(newId(), id)).toBeUndefined();
});

test('messages that were noted long ago are forgotten', () => {
  const places = createMessagePlaces();
  const [app, id] = [newId(), newId()];
  places.note(app, message(id));
  for (let count = 0; count < MAX_NOTED; count += 1) places.note(app, message(newId()));
  expect(places.find(app, id)).toBeUndefined();
});
