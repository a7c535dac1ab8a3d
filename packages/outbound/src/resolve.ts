import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The addresses of a host: a name, or an address with or without brackets. Fails when there is none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/**
 * Asks the name servers without getaddrinfo, which has four threads: names whose servers do not answer would delay all other
 * targets. Names of the local machine need no server (RFC 6761).
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  return async (hostname) => {
    const literal = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal)) return [literal];
    const name = hostname.replace(/\.$/, '').toLowerCase();
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    throw new Error(`${hostname} cannot be resolved`);
  };
}
