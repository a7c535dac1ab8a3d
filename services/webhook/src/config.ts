import { bool, int, readEnv, rpcAddress, secret, str, url } from '@parley/kit/env';
import { serviceConfig, serviceEnv, type ServiceConfig } from '@parley/kit/service-env';
import { parsePorts, parseRanges, type AddressRange } from './target/settings.ts';

export type Config = ServiceConfig &
  Readonly<{
    messagingAddress: string;
    /** The address that clients know the gateway by, without a slash at its end. */
    publicUrl: string;
    /** The public address of the content service's HTTP port, without a slash at its end. */
    contentUrl: string;
    /** Signs download addresses. */
    contentSecret: string;
    wireName: string;
    /** Seals the secrets of webhooks in the database. */
    encryptionKey: string;
    /** Whether targets may be http:// addresses. */
    allowHttp: boolean;
    /** Networks that targets may be in although they are not public, at any port. */
    allowedRanges: readonly AddressRange[];
    /** Ports of public targets besides 443, and 80 where http is allowed. */
    allowedPorts: readonly number[];
    maxWebhooksPerApp: number;
  }>;

/** Throws one error that names every bad variable. */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const env = readEnv(
    {
      ...serviceEnv,
      PARLEY_DATABASE_POOL_SIZE: int({ min: 4, max: 500 })({ default: 10 }),
      PARLEY_MESSAGING_ADDRESS: rpcAddress(),
      PARLEY_PUBLIC_URL: url(),
      PARLEY_CONTENT_URL: url(),
      PARLEY_CONTENT_SECRET: secret(),
      PARLEY_WIRE_NAME: str({ default: 'svc' }),
      PARLEY_WEBHOOK_ENCRYPTION_KEY: secret(),
      PARLEY_WEBHOOK_ALLOW_HTTP: bool({ default: false }),
      PARLEY_WEBHOOK_ALLOWED_CIDRS: parseRanges({ default: [] }),
      PARLEY_WEBHOOK_ALLOWED_PORTS: parsePorts({ default: [] }),
      PARLEY_MAX_WEBHOOKS_PER_APP: int({ min: 1, max: 100_000 })({ default: 100 }),
    },
    source,
  );
  return Object.freeze({
    ...serviceConfig(env),
    messagingAddress: env.PARLEY_MESSAGING_ADDRESS,
    publicUrl: env.PARLEY_PUBLIC_URL.replace(/\/+$/, ''),
    contentUrl: env.PARLEY_CONTENT_URL.replace(/\/+$/, ''),
    contentSecret: env.PARLEY_CONTENT_SECRET,
    wireName: env.PARLEY_WIRE_NAME,
    encryptionKey: env.PARLEY_WEBHOOK_ENCRYPTION_KEY,
    allowHttp: env.PARLEY_WEBHOOK_ALLOW_HTTP,
    allowedRanges: env.PARLEY_WEBHOOK_ALLOWED_CIDRS,
    allowedPorts: env.PARLEY_WEBHOOK_ALLOWED_PORTS,
    maxWebhooksPerApp: env.PARLEY_MAX_WEBHOOKS_PER_APP,
  });
}
