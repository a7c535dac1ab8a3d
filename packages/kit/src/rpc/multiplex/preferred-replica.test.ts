import fc from 'fast-check';
import { preferredOf, seedOf } from './preferred-replica.ts';

function serversOf(addresses: readonly string[]) {
  return addresses.map((address) => ({ address, seed: seedOf(address) }));
}

const addresses = fc.uniqueArray(
  fc.tuple(fc.ipV4(), fc.integer({ min: 1, max: 65_535 })).map(([host, port]) => `ipv4:${host}:${port}`),
  { minLength: 1, maxLength: 12 },
);
const numbers = fc.array(fc.integer({ min: 0, max: 2 ** 28 - 1 }), { minLength: 1, maxLength: 50 });

test('a number belongs to the same server in whatever order the servers are known', () => {
  fc.assert(
    fc.property(addresses, numbers, (known, asked) => {
      const [one, other] = [serversOf(known), serversOf([...known].reverse())];
      for (const number of asked)
        expect(preferredOf(one, number)?.address).toBe(preferredOf(other, number)?.address);
    }),
  );
});

test('a server that goes leaves the numbers of the others where they are', () => {
  fc.assert(
    fc.property(addresses, numbers, fc.nat(), (known, asked, index) => {
      const servers = serversOf(known);
      const gone = servers[index % servers.length]!;
      const others = servers.filter((server) => server !== gone);
      for (const number of asked) {
        const before = preferredOf(servers, number);
        if (before !== gone) expect(preferredOf(others, number)).toBe(before);
      }
    }),
  );
});

test.each([2, 3, 8])(
  'numbers spread evenly over %d servers, those of neighbouring addresses too',
  (count) => {
    const servers = serversOf(Array.from({ length: count }, (_, n) => `ipv4:10.0.0.${n + 1}:7000`));
    const share = new Map<string, number>();
    const asked = 20_000;
    for (let number = 0; number < asked; number += 1) {
      const { address } = preferredOf(servers, number)!;
      share.set(address, (share.get(address) ?? 0) + 1);
    }
    for (const { address } of servers) {
      expect(share.get(address)! / (asked / count)).toBeGreaterThan(0.9);
      expect(share.get(address)! / (asked / count)).toBeLessThan(1.1);
    }
  },
);

test('without servers no replica is preferred', () => {
  expect(preferredOf([], 7)).toBeUndefined();
});
