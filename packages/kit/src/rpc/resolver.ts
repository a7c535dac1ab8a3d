import { lookup } from 'node:dns/promises';
import { experimental, Metadata, status, type ChannelOptions } from '@grpc/grpc-js';
import { startTimeout } from '../runtime/clock/index.ts';

const SCHEME = 'parley';
/** How often names are resolved again. Milliseconds. */
export const REFRESH_MS = 5_000;

/** The grpc-js target of `host:port`, a comma-separated list of these, or `dns:///name:port`. */
export function targetOf(address: string): string {
  return `${SCHEME}:///${listOf(address)}`;
}

/** The addresses as a comma-separated list without spaces. */
export function listOf(address: string): string {
  return address.replace(/^dns:\/\/\//, '').replaceAll(/\s/g, '');
}

type Listener = experimental.ResolverListener;
export type HostPort = experimental.HostPort;

/** A name in a list of addresses, with its latest resolution. */
export type Entry = { readonly name: HostPort; addresses: HostPort[] };

/**
 * Resolves all names of a list to all their addresses, and again every 5 s, so that new replicas are found, too: grpc-js's own resolver
 * resolves again only when a connection breaks, and does not accept a list of names. docs/decisions/calls.md#a-resolver-of-our-own
 */
class ListResolver implements experimental.Resolver {
  readonly #entries: Entry[];
  readonly #listener: Listener;
  #cancelTimer: (() => void) | undefined;
  #running = false;
  #destroyed = false;
  #known = '';

  constructor(target: experimental.GrpcUri, listener: Listener, _options: ChannelOptions) {
    this.#entries = entriesOf(target.path);
    this.#listener = listener;
  }

  static getDefaultAuthority(target: experimental.GrpcUri): string {
    return target.path.split(',')[0] ?? target.path;
  }

  updateResolution(): void {
    this.#destroyed = false;
    if (!this.#running) void this.#resolve();
  }

  destroy(): void {
    this.#destroyed = true;
    this.#known = '';
    this.#cancelTimer?.();
  }

  async #resolve(): Promise<void> {
    this.#running = true;
    this.#cancelTimer?.();
    const { found, failure } = await resolveAll(this.#entries);
    this.#running = false;
    if (this.#destroyed) return;
    if (found.length > 0) this.#report(found);
    else this.#fail(String(failure));
    this.#cancelTimer = startTimeout(REFRESH_MS, () => void this.#resolve());
  }

  #report(found: HostPort[]): void {
    const text = found
      .map(({ host, port }) => `${host} ${port}`)
      .sort()
      .join();
    if (text === this.#known) return;
    this.#known = text;
    const endpoints = found.map(({ host, port }) => ({ addresses: [{ host, port: port ?? 443 }] }));
    this.#listener(experimental.statusOrFromValue(endpoints), {}, null, '');
  }

  #fail(reason: string): void {
    const error = {
      code: status.UNAVAILABLE,
      details: `cannot resolve: ${reason}`,
      metadata: new Metadata(),
    };
    this.#listener(experimental.statusOrFromError(error), {}, null, '');
  }
}

experimental.registerResolver(SCHEME, ListResolver);

export function entriesOf(list: string): Entry[] {
  return list.split(',').map((text) => ({ name: parse(text), addresses: [] }));
}

/** The host of the first name of a list. */
export function nameOf(address: string): string | undefined {
  return entriesOf(listOf(address))[0]?.name.host;
}

/** Resolves all names. `failure`: the error of the first name that could not be resolved. */
export async function resolveAll(entries: Entry[]): Promise<{ found: HostPort[]; failure: unknown }> {
  const failures = await Promise.all(entries.map(refresh));
  return {
    found: entries.flatMap(({ addresses }) => addresses),
    failure: failures.find((failure) => failure !== undefined),
  };
}

function parse(text: string): HostPort {
  const parsed = experimental.splitHostPort(text);
  if (!parsed) throw new Error(`not host:port: "${text}"`);
  return parsed;
}

/** Keeps the known addresses when a name server fails, and returns the error. */
async function refresh(entry: Entry): Promise<unknown> {
  try {
    entry.addresses = await addressesOf(entry.name);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Uses only the IPv4 addresses of a name with both kinds, so that a server does not count twice. */
async function addressesOf({ host, port }: HostPort): Promise<HostPort[]> {
  const all = await lookup(host, { all: true });
  const preferred = all.some(({ family }) => family === 4) ? all.filter(({ family }) => family === 4) : all;
  return preferred.map(({ address }) => ({ host: address, ...(port === undefined ? {} : { port }) }));
}
