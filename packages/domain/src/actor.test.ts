import { decodeActor, encodeActor } from './actor.ts';

const PERSON = { issuer: 'https://id.example.com', subject: 'ädä ✓ "\\' };

test.each([
  { person: PERSON, entryId: undefined },
  { person: PERSON, entryId: '01990000-0000-7000-8000-000000000001' },
  { person: undefined, entryId: '01990000-0000-7000-8000-000000000001' },
])('%j comes back as it was, by printable ASCII', (actor) => {
  const text = encodeActor(actor);
  expect(text).toMatch(/^[\x21-\x7e]+$/);
  expect(decodeActor(text)).toEqual(actor);
});

test.each([undefined, '', 'x', '%', '%5B', '{}', 'null', '7', '%5B1%2C2%2C3%5D'])(
  '%j names nobody',
  (text) => {
    expect(decodeActor(text)).toEqual({ person: undefined, entryId: undefined });
  },
);
