import { connect } from 'node:net';
import { each, withLines, type ListenerSubject, type Rule } from './listener-subject.ts';
import { askRaw, parseAnswer, requestText, sendForEver, sendRaw, type Asked, type RawAnswer } from './raw.ts';

function refusalOf({ status, headers, body }: RawAnswer, isApi: boolean) {
  const id = isApi && status !== 431 ? (JSON.parse(body) as { id: string }).id : 'invalid_request';
  return { status, id, caching: headers['cache-control'], sniffing: headers['x-content-type-options'] };
}

const REFUSED = { status: 400, id: 'invalid_request', caching: 'no-store', sniffing: 'nosniff' };

async function expectRefused(subject: ListenerSubject, asked: Asked): Promise<void> {
  const refusal = refusalOf(await askRaw(subject, asked), subject.isApi);
  expect([asked, refusal]).toEqual([asked, REFUSED]);
}

const HOSTS: readonly string[][] = [
  ['Host:absent'],
  ['Host: a.example', 'Host: a.example'],
  ['Host: a.example', 'host: b.example'],
  ['Host: a.example, b.example'],
  ['Host: a b'],
  ['Host: a/b'],
  ['Host: user@a'],
  ['Host: a:b'],
  [`Host: ${'a'.repeat(600)}:x`],
];

const FRAMES: readonly string[][] = [
  ['Content-Length: 1', 'Transfer-Encoding: chunked'],
  ['Content-Length: 1', 'Content-Length: 2'],
  ['Content-Length: +1'],
  ['Transfer-Encoding: gzip, chunked'],
  ['Transfer-Encoding: identity'],
  ['Transfer-Encoding: chunked, identity'],
];

/** Much longer than the 2 s that a listener lingers, and much shorter than the minute that a request may take. Milliseconds. */
const LINGERS_AT_MOST_MS = 30_000;

/** Rules about connections, and about requests that are refused regardless of their target. */
export const CONNECTION_RULES: readonly Rule[] = [
  [
    'keeps an idle connection for 75 s, longer than balancers do',
    (subject) =>
      each(
        subject.reads,
        async (one) => {
          const first = requestText(subject, withLines(one, 'Connection: keep-alive'));
          const text = await sendRaw(subject, first + requestText(subject, one));
          expect(parseAnswer(text).headers['keep-alive']).toBe('timeout=75');
          expect(text.match(/(?:^|(?!\r)\n|[^\r\n])?HTTP\/1\.1 [23]\d\d /g)).toHaveLength(2);
        },
        subject,
      ),
  ],
  [
    'takes exactly one Host',
    async (subject) => {
      const [read] = subject.reads;
      for (const lines of HOSTS) {
        const text = requestText(subject, { target: '/', ...read, lines }).replace('Host:absent\r\n', '');
        const refusal = refusalOf(parseAnswer(await sendRaw(subject, text)), subject.isApi);
        expect([lines, refusal]).toEqual([lines, REFUSED]);
      }
    },
  ],
  [
    'takes an absolute target, whose host counts',
    (subject) =>
      each(
        subject.reads,
        async (one, plain) => {
          const target = `http://${subject.host}${one.target}`;
          const absolute = await askRaw(subject, withLines({ ...one, target }, 'Host: elsewhere.example'));
          expect([target, absolute.status]).toEqual([target, plain.status]);
        },
        subject,
      ),
  ],
  [
    'refuses a target that is no path',
    async (subject) => {
      for (const target of ['*', '*ping', 'ftp://a.example/', 'http://', 'http:///', 'http://a b/'])
        await expectRefused(subject, { target });
    },
  ],
  [
    'refuses a path that is not percent-encoded UTF-8',
    async (subject) => {
      const paths = subject.reads.map(({ target }) => target.split('?', 1)[0]);
      for (const end of ['%', '%zz', '%ff', '%ed%a0%80', '%c0%af'])
        for (const path of ['', ...paths]) await expectRefused(subject, { target: `${path}/${end}` });
    },
  ],
  [
    'refuses a body whose end is not certain',
    async (subject) => {
      for (const lines of FRAMES)
        await expectRefused(subject, { method: 'POST', target: '/', lines, body: '0' });
    },
  ],
  [
    'refuses what is no HTTP, after it has answered the requests before it',
    async (subject) => {
      for (const garbage of [
        'NONSENSE\r\n\r\n',
        'GET / HTTP/1.1\r\nbad header\r\n\r\n',
        '\x16\x03\x01\r\n\r\n',
      ])
        expect(refusalOf(parseAnswer(await sendRaw(subject, garbage)), subject.isApi)).toEqual(REFUSED);
      const [read] = subject.reads;
      const first = requestText(subject, withLines({ target: '/', ...read }, 'Connection: keep-alive'));
      const text = await sendRaw(subject, `${first}NONSENSE\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1\.1 [23]/);
      expect(text.lastIndexOf('HTTP/1.1 400 Bad Request')).toBeGreaterThan(0);
    },
  ],
  [
    'refuses more headers than it keeps',
    async (subject) => {
      const asked = { target: '/', lines: [`X-Much: ${'a'.repeat(40_000)}`] };
      const answer = await askRaw(subject, asked);
      expect([400, 431]).toContain(answer.status);
      expect(refusalOf(answer, subject.isApi)).toMatchObject({ caching: 'no-store', sniffing: 'nosniff' });
    },
  ],
  [
    'ignores an expectation that it does not know',
    (subject) =>
      each(
        subject.reads,
        async (one, plain) => {
          expect((await askRaw(subject, withLines(one, 'Expect: miracles'))).status).toBe(plain.status);
        },
        subject,
      ),
  ],
  [
    'reads a body only for a moment after it has answered',
    async (subject) => {
      for (const [frame, piece] of [
        ['Transfer-Encoding: chunked', '1\r\na\r\n'],
        ['Content-Length: 100000', 'a'],
      ] as const) {
        const lines = [frame, 'Connection: keep-alive'];
        const head = requestText(subject, { method: 'POST', target: '/nowhere', lines });
        const { answer, lastedMs } = await sendForEver(subject, head, piece);
        expect([lines, answer.status >= 400, lastedMs < LINGERS_AT_MOST_MS]).toEqual([lines, true, true]);
      }
    },
  ],
  ['is no proxy', (subject) => expectRefused(subject, { method: 'CONNECT', target: 'a.example:443' })],
  [
    'declines other protocols by answering in its own',
    (subject) =>
      each(
        subject.reads,
        async (one, plain) => {
          const protocols = subject.upgrades ? ['h2c'] : ['h2c', 'websocket'];
          for (const protocol of protocols) {
            const offer = withLines(one, 'Connection: Upgrade, close', `Upgrade: ${protocol}`);
            expect([protocol, (await askRaw(subject, offer)).status]).toEqual([protocol, plain.status]);
          }
        },
        subject,
      ),
  ],
  [
    'survives connections that end at any byte',
    async (subject) => {
      const [read] = subject.reads;
      const text = requestText(subject, { target: '/', ...read });
      for (let length = 0; length < text.length; length += 7) {
        const socket = connect(subject.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.end(text.slice(0, length));
        socket.resume();
        await new Promise((resolve) => socket.once('close', resolve));
      }
      expect((await askRaw(subject, { target: '/', ...read })).status).toBeLessThan(400);
    },
  ],
];
