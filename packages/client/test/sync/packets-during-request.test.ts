import { createPacketsDuringRequest } from '../../src/sync/packets-during-request.ts';
import { messageAt, messageCreated } from './records.ts';

const packet = (position: number) => ({ change: messageCreated(messageAt(position)), timestamp: '' });

test('a reading sees what came since it began, and others do not disturb it', () => {
  const packetsDuringRequest = createPacketsDuringRequest();
  packetsDuringRequest.add([packet(1)]);
  const first = packetsDuringRequest.begin();
  packetsDuringRequest.add([packet(2)]);
  const second = packetsDuringRequest.begin();
  packetsDuringRequest.add([packet(3)]);
  expect(first.since()).toEqual([packet(2), packet(3)]);
  first.end();
  first.end();
  expect(second.since()).toEqual([packet(3)]);
  second.end();
  packetsDuringRequest.add([packet(4)]);
  expect(packetsDuringRequest.begin().since()).toEqual([]);
});
