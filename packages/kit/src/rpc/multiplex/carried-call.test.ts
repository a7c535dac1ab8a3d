import { create } from '@bufbuild/protobuf';
import { MultiplexRequestSchema } from '@parley/proto/parley/rpc/v1/multiplex_service_pb';
import { CarriedCall } from './carried-call.ts';

function callOf(timeoutMs: number): CarriedCall {
  const message = Uint8Array.of(1, 2, 3);
  return new CarriedCall(create(MultiplexRequestSchema, { number: 1, path: '/x', message, timeoutMs }));
}

test('a call that is cancelled tells its listeners once', () => {
  const call = callOf(1_000);
  let cancelled = 0;
  call.on('cancelled', () => (cancelled += 1));
  call.cancel();
  call.cancel();
  expect([call.request.length, call.cancelled, cancelled]).toEqual([3, true, 1]);
  call.end();
});

test('a call that has ended keeps neither its request nor its listeners', () => {
  const call = callOf(1_000);
  let cancelled = 0;
  call.on('cancelled', () => (cancelled += 1));
  call.end();
  call.cancel();
  expect([call.request.length, cancelled]).toEqual([0, 0]);
});
