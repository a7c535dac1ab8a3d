import { existsSync } from 'node:fs';
import path from 'node:path';
import { readConfig, REPOSITORY } from '../config.ts';
import type { ProcessKind } from './supervisor/process-definition.ts';
import type { Secrets } from './secrets.ts';
import { LIBRARY_FOLDER } from './site.ts';

export type Wiring = {
  baseUrl: string;
  secrets: Secrets;
  dataDir: string;
  /** The built documentation, and where its readers log in. */
  site?: { folder: string; loginUrl: string | undefined } | undefined;
  /** Whether the console's server is a process of its own. */
  consoleApart?: boolean | undefined;
};

/** Description of a process without addresses: one row for each process. */
export type CatalogEntry = {
  name: string;
  kind: Exclude<ProcessKind, 'infra'>;
  /** Bundled by the build; run by the workspace's Node. */
  entry: string;
  ports: ('http' | 'rpc')[];
  /** The variable with its port for HTTP; default: PARLEY_HTTP_PORT. */
  httpPortVariable?: string;
  /** How many start unless the options say otherwise; default 1. */
  replicas?: number;
  /** Has a database of its own, parley_<name>. */
  database?: boolean;
  /** Runs after the other processes while processors are short. */
  inBackground?: boolean;
  /** Environment beyond that of all processes. */
  env?(wiring: Wiring): Record<string, string>;
};

function service(name: string, env?: CatalogEntry['env']): CatalogEntry {
  const entry = path.join(REPOSITORY, 'services', name, 'dist', 'main.js');
  return { name, kind: 'service', entry, ports: ['rpc'], database: true, ...(env && { env }) };
}

// Defaults for a laptop, unless the environment says otherwise.
function unlessGiven(defaults: Record<string, string>): Record<string, string> {
  const { inherited } = readConfig();
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, inherited[name] ?? value]),
  );
}

// Where the processes that store blobs keep them: a folder that the content service serves.
function contentStore({ secrets, dataDir }: Wiring): Record<string, string> {
  return {
    PARLEY_BLOB_FOLDER: path.join(dataDir, 'blobs'),
    PARLEY_CONTENT_SECRET: secrets.content_secret,
  };
}

// Settings of the console's server, in a process of its own or in the gateway's.
function consoleServer({ secrets, site }: Wiring): Record<string, string> {
  return {
    ...(site && { PARLEY_SITE_FOLDER: site.folder }),
    ...(site?.loginUrl && { PARLEY_SITE_LOGIN_URL: site.loginUrl }),
    PARLEY_ADMIN_TOKEN: secrets.admin_token,
    PARLEY_CONSOLE_FOLDER: path.join(REPOSITORY, 'console', 'dist'),
  };
}

const ENTRIES: CatalogEntry[] = [
  service('identity', ({ secrets, dataDir }) => ({
    PARLEY_NONCE_SECRET: secrets.nonce_secret,
    PARLEY_JOURNAL_FOLDER: path.join(dataDir, 'journal'),
  })),
  service('messaging'),
  {
    ...service('content', (wiring) => ({
      ...contentStore(wiring),
      PARLEY_PUBLIC_URL: wiring.baseUrl,
      // Buffers of bodies are freed with the young generation, which small objects alone would fill too slowly.
      NODE_OPTIONS: '--max-semi-space-size=1',
      ...unlessGiven({ PARLEY_RATE_LIMIT_FACTOR: '100' }),
    })),
    ports: ['rpc', 'http'],
  },
  service('announcement'),
  {
    ...service('export', (wiring) => ({
      ...contentStore(wiring),
      PARLEY_PUBLIC_URL: wiring.baseUrl,
      // Garbage of gigabytes that pass through is collected early, instead of when there is much of it.
      NODE_OPTIONS: '--max-old-space-size=128 --max-semi-space-size=12',
      MALLOC_ARENA_MAX: '2',
    })),
    // An archive may take longer than a message.
    inBackground: true,
  },
  service('webhook', ({ secrets, baseUrl }) => ({
    PARLEY_PUBLIC_URL: baseUrl,
    PARLEY_CONTENT_SECRET: secrets.content_secret,
    PARLEY_WEBHOOK_ENCRYPTION_KEY: secrets.webhook_key,
    ...unlessGiven({
      PARLEY_WEBHOOK_ALLOW_HTTP: 'true',
      PARLEY_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    }),
  })),
  service('push', ({ secrets }) => ({
    PARLEY_PUSH_ENCRYPTION_KEY: secrets.push_key,
    // Apple refuses tokens whose contact is on this machine.
    ...unlessGiven({ PARLEY_PUSH_CONTACT: 'mailto:operator@example.com' }),
  })),
  {
    name: 'gateway',
    kind: 'gateway',
    entry: path.join(REPOSITORY, 'gateway', 'dist', 'main.js'),
    ports: ['http'],
    env: (wiring) => ({
      ...(wiring.consoleApart
        ? { PARLEY_CONSOLE_SERVER: 'false' }
        : { ...consoleServer(wiring), PARLEY_ADMINISTRATION_ON_PUBLIC_PORT: 'true' }),
      PARLEY_LIBRARY_FOLDER: LIBRARY_FOLDER,
      PARLEY_PUBLIC_URL: wiring.baseUrl,
      ...unlessGiven({ PARLEY_RATE_LIMIT_FACTOR: '100' }),
      PARLEY_CONTENT_SECRET: wiring.secrets.content_secret,
    }),
  },
  {
    name: 'console-server',
    kind: 'gateway',
    entry: path.join(REPOSITORY, 'console', 'server', 'dist', 'main.js'),
    ports: ['http'],
    httpPortVariable: 'PARLEY_CONSOLE_PORT',
    replicas: 0,
    env: (wiring) => ({
      ...consoleServer(wiring),
      PARLEY_PUBLIC_URL: wiring.baseUrl,
      ...unlessGiven({ PARLEY_RATE_LIMIT_FACTOR: '100' }),
    }),
  },
];

/** The demo application: its login backend and its chat. It is no part of the platform, and starts once the application is there. */
export const DEMO_ENTRY: CatalogEntry = {
  name: 'demo',
  kind: 'service',
  entry: path.join(REPOSITORY, 'demo', 'dist', 'main.js'),
  ports: ['http'],
  env: ({ baseUrl, dataDir }) => ({
    PARLEY_PUBLIC_URL: baseUrl,
    PARLEY_DEMO_FILE: path.join(dataDir, 'demo.json'),
    PARLEY_STATE_FILE: path.join(dataDir, 'state.json'),
    PARLEY_CHAT_FOLDER: path.join(REPOSITORY, 'demo', 'chat', 'dist'),
  }),
};

/** The processes of this checkout. */
export function platformCatalog(): CatalogEntry[] {
  return ENTRIES.filter(({ entry }) => existsSync(entry));
}
