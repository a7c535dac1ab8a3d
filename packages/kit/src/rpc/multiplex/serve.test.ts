import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { Client as GrpcClient, ChannelCredentials, Metadata, status } from '@grpc/grpc-js';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import {
  MultiplexRequestSchema,
  MultiplexResponseSchema,
  type MultiplexResponse,
} from '@parley/proto/parley/rpc/v1/multiplex_service_pb';
import { until } from '@parley/testing';
import { pathOf } from '../client-call.ts';
import { createHarness, SECRET, type Harness } from '../testing/harness.ts';
import { MULTIPLEX_PATH } from './path.ts';

let harness: Harness;
beforeEach(() => (harness = createHarness()));
afterEach(() => harness.close());

const IN_TIME = { withinMs: 10_000 };

/** A stream that sends data which no client of this release sends. */
function openRaw(port: number) {
  const grpc = new GrpcClient(`127.0.0.1:${port}`, ChannelCredentials.createInsecure());
  harness.onClose(() => grpc.close());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${SECRET}`);
  const asIs = (bytes: Buffer) => bytes;
  const call = grpc.makeBidiStreamRequest(MULTIPLEX_PATH, asIs, asIs, metadata);
  const responses: MultiplexResponse[] = [];
  const ended = new Promise<number>((resolve) => call.on('status', ({ code }) => resolve(code)));
  call.on('data', (bytes: Buffer) => responses.push(fromBinary(MultiplexResponseSchema, bytes)));
  call.on('error', () => undefined);
  function send(fields: MessageInitShape<typeof MultiplexRequestSchema>): void {
    const path = pathOf(IdentityService.method.findIdentities);
    const request = create(MultiplexRequestSchema, { path, timeoutMs: 60_000, ...fields });
    call.write(Buffer.from(toBinary(MultiplexRequestSchema, request)));
  }
  return { call, responses, ended, send };
}

test('a message that cannot be read ends its stream, and no other', async () => {
  const { port } = await harness.serve({ findIdentities: () => ({}) });
  const [bad, good] = [openRaw(port), openRaw(port)];
  bad.call.write(Buffer.from([255, 255, 255]));
  expect(await bad.ended).toBe(status.INVALID_ARGUMENT);
  good.send({ number: 1 });
  await until(() => good.responses[0], { ...IN_TIME, what: 'the answer' });
  good.call.end();
  expect(await good.ended).toBe(status.OK);
});

test('a call of the stream that cannot be made fails alone', async () => {
  const { port } = await harness.serve({ findIdentities: () => ({}) });
  const { responses, send } = openRaw(port);
  send({ number: 1, path: '/parley.Nothing/Call' });
  send({ number: 2, path: pathOf(IdentityService.method.createSession) });
  send({ number: 3, message: new Uint8Array([255, 255, 255]) });
  send({ number: 4, timeoutMs: -1 });
  send({ number: 5, timeoutMs: NaN });
  send({ number: 6 });
  await until(() => responses.length === 6 || undefined, { ...IN_TIME, what: 'all answers' });
  const codes = responses.map(({ number, outcome }) => [
    number,
    outcome.case === 'failure' ? outcome.value.code : status.OK,
  ]);
  expect(Object.fromEntries(codes)).toEqual({
    1: status.UNIMPLEMENTED,
    2: status.UNIMPLEMENTED,
    3: status.INVALID_ARGUMENT,
    4: status.DEADLINE_EXCEEDED,
    5: status.DEADLINE_EXCEEDED,
    6: status.OK,
  });
});

test('a stream is read no further while too many of its calls are under way', async () => {
  const waiting: (() => void)[] = [];
  const { port } = await harness.serve({
    findIdentities: () => new Promise((resolve) => waiting.push(() => resolve({}))),
  });
  const { call, responses, ended, send } = openRaw(port);
  for (let number = 1; number <= 600; number += 1) send({ number });
  call.end();
  await until(() => waiting.length >= 256 || undefined, { ...IN_TIME, what: 'the first calls' });
  const other = openRaw(port);
  other.send({ number: 1 });
  await until(() => waiting.length >= 257 || undefined, { ...IN_TIME, what: 'a call of another stream' });
  // A few messages may have been read ahead.
  expect(waiting.length).toBeLessThan(300);
  const answered = async () => {
    for (const go of waiting.splice(0)) go();
    return responses.length === 600 || undefined;
  };
  await until(answered, { ...IN_TIME, what: 'all answers' });
  expect(await ended).toBe(status.OK);
});

test('calls that were cancelled hold up no other, even if their handlers go on', async () => {
  let begun = 0;
  const { port } = await harness.serve({
    findIdentities: () => ((begun += 1) > 300 ? {} : new Promise(() => undefined)),
  });
  const { call, responses, ended, send } = openRaw(port);
  for (let number = 1; number <= 300; number += 1) {
    send({ number });
    send({ number, cancelled: true });
  }
  send({ number: 301 });
  await until(() => responses[0], { ...IN_TIME, what: 'the answer' });
  expect(responses.map(({ number }) => number)).toEqual([301]);
  call.end();
  expect(await ended).toBe(status.OK);
});
