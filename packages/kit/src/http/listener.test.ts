import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createListener, LISTENERS, type Listener, type ListenerOptions } from './listener.ts';
import { parseAnswer, sendRaw } from './testing/raw.ts';

const ROOT = path.join(import.meta.dirname, '../../../..');
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const opened: Listener[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((listener) => listener.stop()));
});

async function open(options: Partial<ListenerOptions> = {}) {
  const listener = createListener({
    name: 'metrics',
    answer: ({ res }) => res.end('ok'),
    failed: () => undefined,
    ...options,
  });
  opened.push(listener);
  return { listener, port: await listener.listen(0, '127.0.0.1') };
}

test.each(LISTENERS)('the listener %s is tried with every rule', (name) => {
  const tests = globSync('{demo/src,gateway/test,services/*/test,packages/*/src}/**/*.test.ts', {
    cwd: ROOT,
  });
  const suites = tests.filter((file) =>
    readFileSync(path.join(ROOT, file), 'utf8').includes(`describeListener('${name}'`),
  );
  expect(suites).toHaveLength(1);
});

test('a client that sends its headers too slowly is answered with 408', async () => {
  const limits = { headersTimeout: 50, connectionsCheckingInterval: 10 };
  for (const bytes of ['', 'GET / HT', 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ']) {
    const { port } = await open({ limits });
    expect(parseAnswer(await sendRaw({ port }, bytes)).status).toBe(408);
  }
});

test('a client that sends its body too slowly is answered with 408, unless long bodies are taken', async () => {
  const limits = { headersTimeout: 40, requestTimeout: 50, connectionsCheckingInterval: 10 };
  const slow = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab';
  const read: ListenerOptions['answer'] = async ({ req, res }) => res.end(await text(req));
  const { port } = await open({ limits, answer: read, failed: () => undefined });
  expect(parseAnswer(await sendRaw({ port }, slow)).status).toBe(408);
  const patient = await open({
    limits: { ...limits, idleTimeout: 300 },
    answer: read,
    takesLongBodies: true,
  });
  expect(await sendRaw({ port: patient.port }, slow)).toBe('');
});

test('a connection on which nothing moves is cut, also while its request is answered', async () => {
  const { port } = await open({ limits: { idleTimeout: 50 }, answer: () => undefined });
  expect(await sendRaw({ port }, GET)).toBe('');
});

test('an idle connection is closed after its time', async () => {
  const { port } = await open({ limits: { keepAliveTimeout: 50 } });
  expect(parseAnswer(await sendRaw({ port }, GET)).status).toBe(200);
});

test('a malformed request does not take the place of the answer before it', async () => {
  const asked: ServerResponse[] = [];
  const { port } = await open({ answer: ({ res }) => void asked.push(res) });
  const answers = sendRaw({ port }, `${GET}NONSENSE\r\n\r\n`);
  const socket = connect(port, '127.0.0.1');
  socket.write(GET);
  // The second request has arrived, so the first connection was read to its end before.
  while (asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
  for (const res of asked) res.end('ok');
  expect((await answers).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  socket.destroy();
});

test('a body that turns out to be malformed ends an answer that has begun', async () => {
  const begin: ListenerOptions['answer'] = ({ req, res }) => {
    res.write('begun');
    req.on('error', () => undefined).resume();
  };
  const { port } = await open({ answer: begin });
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  const socket = connect(port, '127.0.0.1');
  socket.write(head);
  await once(socket, 'data');
  const rest = text(socket);
  socket.write('nonsense\r\n');
  expect(await rest).not.toContain('HTTP/1.1');
});

test('a listener that stops answers what it has begun, closes those connections, and takes no new one', async () => {
  let answerNow: (() => void) | undefined;
  const { listener, port } = await open({
    answer: ({ res }) => {
      answerNow = () => res.end('ok');
      listener.server.emit('begun');
    },
  });
  const idle = connect(port, '127.0.0.1');
  const begun = once(listener.server, 'begun');
  const answer = sendRaw({ port }, GET);
  await begun;
  const stopped = listener.stop();
  answerNow?.();
  expect(await answer).toContain('ok');
  idle.destroy();
  await stopped;
  const refused = connect(port, '127.0.0.1');
  const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});

test('a request that arrives while a listener stops is told that its connection ends', async () => {
  const gates: (() => void)[] = [];
  const { listener, port } = await open({ answer: ({ res }) => void gates.push(() => res.end('ok')) });
  const answers = sendRaw({ port }, GET + GET);
  while (gates.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const stopped = listener.stop();
  for (const gate of gates) gate();
  await answers;
  await stopped;
});

test('a request whose answer fails closes its connection, and no other', async () => {
  const failures: unknown[] = [];
  const { port } = await open({
    answer: ({ target, res }) => {
      if (target.path === '/bad') throw new Error('failed');
      res.end('ok');
    },
    failed: (error) => failures.push(error),
  });
  expect(await sendRaw({ port }, GET.replace('/', '/bad'))).toBe('');
  expect(failures).toEqual([expect.objectContaining({ message: 'failed' })]);
  expect(await sendRaw({ port }, GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))).toContain('ok');
});
