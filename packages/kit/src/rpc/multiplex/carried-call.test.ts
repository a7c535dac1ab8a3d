import { create } from '@bufbuild/protobuf';
import { MultiplexRequestSchema } from '@parley/proto/parley/rpc/v1/multiplex_service_pb';
import { CarriedCall } from './carried-call.ts';

function openCall(): { call: CarriedCall; cancellations: () => number } {
  const message = Uint8Array.of(1, 2, 3);
  const request = create(MultiplexRequestSchema, { number: 1, path: '/x', message, timeoutMs: 1_000 });
  const call = new CarriedCall(request);
  let count = 0;
  call.on('cancelled', () => (count += 1));
  return { call, cancellations: () => count };
}

test('a call that is cancelled tells its listeners once', () => {
  const { call, cancellations } = openCall();
  call.cancel();
  call.cancel();
  expect([call.request.length, call.cancelled, cancellations()]).toEqual([3, true, 1]);
  call.end();
});

test('a call that has ended keeps neither its request nor its listeners', () => {
  const { call, cancellations } = openCall();
  call.end();
  call.cancel();
  expect([call.request.length, cancellations()]).toEqual([0, 0]);
});
