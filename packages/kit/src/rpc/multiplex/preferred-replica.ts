/** A server among others, with a number that is made of its address. */
export type Seeded = { readonly seed: number };

/**
 * The server that a whole number belongs to, by rendezvous hashing: the same in every process that knows the same servers. When a
 * server comes or goes, only the numbers that it takes or had belong elsewhere.
 */
export function preferredOf<S extends Seeded>(servers: readonly S[], number: number): S | undefined {
  if (servers.length <= 1) return servers[0];
  let preferred: S | undefined;
  let highest = -1;
  for (const server of servers) {
    const weight = mix(number ^ server.seed);
    if (weight <= highest) continue;
    highest = weight;
    preferred = server;
  }
  return preferred;
}

/** FNV-1a, mixed. */
export function seedOf(address: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < address.length; index += 1)
    hash = Math.imul(hash ^ address.charCodeAt(index), 0x01000193);
  return mix(hash);
}

/** The finalizer of MurmurHash3: every bit of the number moves every bit of the result. */
function mix(number: number): number {
  let hash = number;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
