import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpContext } from './http-context.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

type Response = EventEmitter & { writableFinished: boolean };

function responseOf(): Response {
  return Object.assign(new EventEmitter(), { writableFinished: false });
}

function open(res: Response, exchange: { caller: { actor?: string } | undefined }): HttpContext {
  return new HttpContext({
    requestId: 'r',
    deadline: 1,
    res: res as unknown as ServerResponse,
    exchange,
  });
}

test('the actor is known once the caller is, and stays known after the release', () => {
  const exchange: { caller: { actor?: string } | undefined } = { caller: undefined };
  const context = open(responseOf(), exchange);
  expect(context.actor).toBeUndefined();
  exchange.caller = { actor: 'ada' };
  expect(context.actor).toBe('ada');
  context.release();
  expect(context).toMatchObject({ actor: 'ada', requestId: 'r', deadline: 1 });
});

test('the signal aborts when the client disconnects before the answer, also after the release', () => {
  const res = responseOf();
  const context = open(res, { caller: undefined });
  const { signal } = context;
  context.release();
  expect(context.signal).toBe(signal);
  res.emit('close');
  expect(signal?.aborted).toBe(true);
});

test('the signal does not abort after the whole answer', () => {
  const res = responseOf();
  const { signal } = open(res, { caller: undefined });
  res.writableFinished = true;
  res.emit('close');
  expect(signal?.aborted).toBe(false);
});

test('a released context keeps neither the request nor the response', async () => {
  const contexts: HttpContext[] = [];
  const responses = [true, false].map((isReleased) => {
    const res = responseOf();
    const context = open(res, { caller: { actor: 'ada' } });
    contexts.push(context);
    if (isReleased) context.release();
    return new WeakRef(res);
  });
  await nextTurn();
  collect();
  expect(responses.map((response) => response.deref() !== undefined)).toEqual([false, true]);
  expect(contexts).toHaveLength(2);
});
