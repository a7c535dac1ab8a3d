import { ODD_NAMES } from '@parley/contract/testing/odd-names';
import fc from 'fast-check';
import { pathTo, userName } from './path.ts';

const NAMES = fc.oneof(
  fc.constantFrom(...ODD_NAMES, '', '\ud800', 'ada'),
  fc.string({ unit: 'binary', maxLength: 256 }),
);

function segmentsOf(path: string): string[] {
  const { pathname, search, hash } = new URL(path, 'https://chat.example');
  expect([search, hash]).toEqual(['', '']);
  return pathname.split('/').slice(1);
}

test('each name of a path is one segment, or is refused', () => {
  fc.assert(
    fc.property(NAMES, NAMES, (user, device) => {
      let path: string;
      try {
        path = pathTo`/users/${user}/devices/${device}/x`;
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        expect([user, device].some((name) => ['', '.', '..'].includes(name) || !name.isWellFormed())).toBe(
          true,
        );
        return;
      }
      const segments = segmentsOf(path);
      expect([segments[0], segments[2], segments[4], segments.length]).toEqual(['users', 'devices', 'x', 5]);
      expect([segments[1], segments[3]].map((one) => decodeURIComponent(one ?? ''))).toEqual([user, device]);
    }),
    { numRuns: 1_000 },
  );
});

test.each(['.', '..', ''])('%j stands in no path', (name) => {
  expect(() => pathTo`/users/${name}`).toThrow(RangeError);
});

test('the page of every user has an address, by the URI if no new user gets the id', () => {
  fc.assert(
    fc.property(
      NAMES.filter((name) => name !== '' && name.isWellFormed()),
      (user) => {
        const [, segment = ''] = segmentsOf(pathTo`/users/${userName(user, 'svc')}`);
        const name = decodeURIComponent(segment);
        const prefix = 'svc:///identities/';
        expect(name === user || decodeURIComponent(name.slice(prefix.length)) === user).toBe(true);
      },
    ),
  );
  expect(userName('..', 'chat')).toBe('chat:///identities/..');
  expect(userName('svc:///identities/ada', 'svc')).toBe('svc:///identities/svc%3A%2F%2F%2Fidentities%2Fada');
  expect(userName('ada', 'svc')).toBe('ada');
});
