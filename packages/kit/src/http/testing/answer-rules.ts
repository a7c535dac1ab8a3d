import { gzipSync } from 'node:zlib';
import { each, withLines, type Rule } from './listener-subject.ts';
import { askRaw } from './raw.ts';

/** Rules about paths, methods and answers. */
export const ANSWER_RULES: readonly Rule[] = [
  [
    'serves HEAD as GET, without the body',
    (subject) =>
      each(
        subject.reads,
        async (one, { status, headers }) => {
          const head = await askRaw(subject, { ...one, method: 'HEAD' });
          const type = headers['content-type'];
          expect([one.target, head.status, head.headers['content-type'], head.body]).toEqual([
            ...[one.target, status, type],
            '',
          ]);
        },
        subject,
      ),
  ],
  [
    'refuses another method with those that the path takes, which OPTIONS says too',
    (subject) =>
      each(
        subject.reads,
        async (one) => {
          if (subject.isFile?.(one.target)) {
            expect([one.target, (await askRaw(subject, { ...one, method: 'TRACE' })).status]).toEqual([
              one.target,
              404,
            ]);
            return;
          }
          const refused = await askRaw(subject, { ...one, method: 'TRACE' });
          expect([one.target, refused.status, refused.headers['allow']]).toEqual([
            ...[one.target, 405],
            expect.stringContaining('GET'),
          ]);
          const options = await askRaw(subject, { ...one, method: 'OPTIONS' });
          expect([one.target, options.status, options.body]).toEqual([one.target, 204, '']);
        },
        subject,
      ),
  ],
  [
    'takes a slash at the end of a path',
    (subject) =>
      each(
        subject.reads,
        async (one, plain) => {
          const [path = '', query] = one.target.split('?');
          // A page's asset is not a path of the API.
          if (path.includes('/assets/')) return;
          const other = path.endsWith('/') ? path : `${path}/`;
          const slashed = await askRaw(subject, { ...one, target: query ? `${other}?${query}` : other });
          expect([other, slashed.status]).toEqual([other, plain.status]);
        },
        subject,
      ),
  ],
  [
    'tells upper and lower case apart',
    async (subject) => {
      for (const target of subject.unknown) {
        const [read] = subject.reads;
        const answer = await askRaw(subject, { ...read, target });
        expect([target, answer.status]).toEqual([target, 404]);
      }
    },
  ],
  [
    'refuses a body in a coding that it does not take off',
    async (subject) => {
      for (const one of subject.writes) {
        const body = gzipSync(one.body ?? '{}').toString('latin1');
        const plain = await askRaw(subject, withLines(one, 'Content-Encoding: identity'));
        expect([one.target, plain.status]).not.toEqual([one.target, 415]);
        for (const coding of ['gzip', 'GZIP', 'br', 'identity, gzip', 'x'.repeat(100)]) {
          const lines = [`Content-Encoding: ${coding}`, `Content-Length: ${body.length}`];
          const answer = await askRaw(subject, withLines({ ...one, body }, ...lines));
          expect([one.target, coding, answer.status]).toEqual([one.target, coding, 415]);
          if (!subject.isApi) continue;
          expect(JSON.parse(answer.body)).toMatchObject({
            ...{ id: 'invalid_header', code: 107 },
            data: { header: 'Content-Encoding' },
          });
        }
      }
    },
  ],
  [
    'lets no cache keep an answer, and no browser guess a media type',
    (subject) =>
      each(
        [...subject.reads, ...subject.tagged],
        async (one, { headers }) => {
          const isCached = subject.cached?.some((start) => one.target.startsWith(start)) ?? false;
          const expected = isCached ? expect.not.stringContaining('no-store') : 'no-store';
          const { 'cache-control': caching, 'x-content-type-options': sniffing } = headers;
          expect([one.target, caching, sniffing]).toEqual([one.target, expected, 'nosniff']);
          const missing = await askRaw(subject, { target: '/nowhere' });
          expect([missing.headers['cache-control'], missing.headers['x-content-type-options']]).toEqual([
            ...['no-store', 'nosniff'],
          ]);
        },
        subject,
      ),
  ],
  [
    'answers 304 to a client that has it already',
    (subject) =>
      each(
        subject.tagged,
        async (one, { headers: { etag = '' } }) => {
          expect([one.target, etag]).toEqual([one.target, expect.stringMatching(/^(W\/)?".+"$/)]);
          const weak = `W/${etag.replace(/^W\//, '')}`;
          for (const known of [etag, weak, '*', `"x", ${etag}`, `"a,b" , ${weak},"c"`]) {
            const answer = await askRaw(subject, withLines(one, `If-None-Match: ${known}`));
            expect([one.target, known, answer.status, answer.body]).toEqual([one.target, known, 304, '']);
            expect(answer.headers['etag']).toBe(etag);
          }
          for (const other of ['"x"', 'nonsense', `"${etag}`, `"x${etag.slice(1)}`]) {
            const answer = await askRaw(subject, withLines(one, `If-None-Match: ${other}`));
            expect([one.target, other, answer.status]).toEqual([one.target, other, 200]);
          }
          const failed = await askRaw(subject, withLines(one, 'If-Match: "x"'));
          expect([one.target, failed.status]).toEqual([one.target, 412]);
        },
        subject,
      ),
  ],
];
