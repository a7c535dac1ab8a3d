import type { TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { refusalOf, type AddressRules } from './address-rules.ts';
import type { Resolve } from './resolve.ts';

type Connect = buildConnector.connector;
type Options = buildConnector.Options;

const MAX_ADDRESSES = 3;
/** A time longer than a request may take: it ends connection attempts whose request has timed out. */
const CONNECT_MS = 15_000;

/** The target's address is not allowed: nothing was connected. */
export class TargetRefused extends Error {}

/**
 * Resolves the name once, checks every address, and connects to one of the checked addresses, so that a later answer of the name
 * server does not matter. The name is still used for the Host header and TLS (SNI and the check of the certificate).
 */
export function createConnect(rules: AddressRules, resolve: Resolve, tls: { ca?: string } = {}): Connect {
  const connect = buildConnector({ timeout: CONNECT_MS, keepAlive: true, allowH2: false, ...tls });
  return (options, callback) => {
    connectChecked(options).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(toError(error), null),
    );
  };

  async function connectChecked(options: Options): Promise<Socket | TLSSocket> {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const addresses = await resolve(options.hostname);
    const refusals = addresses.map((address) => refusalOf(rules, address, port));
    const allowed = addresses.filter((_, index) => refusals[index] === undefined);
    if (allowed.length === 0)
      throw new TargetRefused(`target refused: ${refusals[0] ?? 'it has no address'}`);
    return connectToAny(options, allowed.slice(0, MAX_ADDRESSES));
  }

  async function connectToAny(options: Options, addresses: string[]): Promise<Socket | TLSSocket> {
    let failure: unknown;
    for (const address of addresses) {
      try {
        return await connectTo(options, address);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  function connectTo(options: Options, address: string): Promise<Socket | TLSSocket> {
    const name = options.servername || options.hostname.replace(/^\[(.*)\]$/, '$1');
    const servername = isIP(name) ? '' : name;
    return new Promise((done, failed) => {
      connect({ ...options, hostname: address, host: address, servername }, (error, socket) => {
        if (socket) done(socket);
        else failed(error);
      });
    });
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
