/** A server among others, with a number derived from its address. */
export type Seeded = { readonly seed: number };

/**
 * Maps an integer to a server by rendezvous hashing: identically in every process that knows the same servers. When a server comes or goes,
 * only the integers that it takes over or had are mapped elsewhere.
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

/** The finalizer of MurmurHash3: every input bit affects every output bit. */
function mix(number: number): number {
  let hash = number;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
