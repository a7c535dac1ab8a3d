import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Command } from '../command.ts';
import { readConfig, REPOSITORY } from '../config.ts';
import { until } from '../until.ts';
import { obtainNatsServer } from './binary.ts';

export type NatsSettings = {
  port: number;
  monitorPort?: number;
  storeDir: string;
  /** Default: the value that Parley requires, as in deploy/infra/nats.conf. */
  maxPayloadBytes?: number;
  /** The passwords of the users of deploy/infra/nats-users.conf. Default: connections need no user. */
  passwordOf?: ((user: string) => string) | undefined;
  /** Folder of its certificate; it asks clients for one of the same authority. Default: no TLS. */
  tlsFolder?: string | undefined;
};

const USERS_FILE = path.join(REPOSITORY, 'deploy', 'infra', 'nats-users.conf');

const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

/** Variables for one thread and less garbage collection: on a small machine a second thread costs more in wake-ups than it gains. */
export const NATS_VARIABLES = { GOMAXPROCS: '1', GOGC: '400' };

/** JetStream on, 127.0.0.1 only. */
export async function natsCommand(settings: NatsSettings): Promise<Command> {
  const { port, monitorPort, storeDir, maxPayloadBytes } = settings;
  const configFile = `${storeDir}.conf`;
  await mkdir(path.dirname(configFile), { recursive: true });
  const file = await obtainNatsServer();
  const users = settings.passwordOf ? await readFile(USERS_FILE, 'utf8') : '';
  const lines = [
    payloadLine(maxPayloadBytes),
    syncBlock(await versionOf(file)),
    tlsBlock(settings.tlsFolder),
    users,
  ];
  await writeFile(configFile, lines.join(''), { mode: 0o600 });
  const monitor = monitorPort === undefined ? [] : ['-m', String(monitorPort)];
  return {
    file,
    env: {
      ...readConfig().inherited,
      ...passwordVariables(users, settings.passwordOf),
      ...NATS_VARIABLES,
    },
    args: ['-a', '127.0.0.1', '-p', String(port), ...monitor, '-js', '-sd', storeDir, '-c', configFile],
  };
}

/** The line of a server's configuration that lets it take the largest message of a platform, or another size. */
export function payloadLine(bytes = MAX_PAYLOAD_BYTES): string {
  return `max_payload: ${bytes}\n`;
}

/**
 * The setting by which a loss of power takes the messages of a second instead of two minutes. Servers before 2.10 write to the disk at times of their own and
 * refuse the setting. docs/decisions/events.md#what-a-loss-of-power-takes
 */
export function syncBlock(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 2 || (major === 2 && minor >= 10) ? `jetstream { sync_interval: "1s" }\n` : '';
}

async function versionOf(file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(file, ['-v']);
  return /v(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? '';
}

function tlsBlock(folder: string | undefined): string {
  if (folder === undefined) return '';
  const [ca, cert, key] = ['ca.crt', 'tls.crt', 'tls.key'].map((name) =>
    JSON.stringify(path.join(folder, name)),
  );
  return `tls { ca_file: ${ca}, cert_file: ${cert}, key_file: ${key}, verify: true }\n`;
}

/** Values in quotes, since the server reads the value of a variable as a part of its configuration. */
function passwordVariables(users: string, passwordOf: NatsSettings['passwordOf']): Record<string, string> {
  const names = [...users.matchAll(/password: \$(\w+)/g)].map(([, name = '']) => name);
  return Object.fromEntries(
    names.map((name) => {
      const user = name.replace('NATS_PASSWORD_', '').toLowerCase();
      return [name, JSON.stringify(passwordOf?.(user))];
    }),
  );
}

export function natsUrl({ port, tlsFolder }: { port: number; tlsFolder?: string | undefined }): string {
  return `${tlsFolder === undefined ? 'nats' : 'tls'}://127.0.0.1:${port}`;
}

/** Waits for the greeting of a server with JetStream. */
export async function untilNatsAnswers(
  at: number | { host: string; port: number },
  given?: () => string | undefined,
): Promise<void> {
  const place = typeof at === 'number' ? { host: '127.0.0.1', port: at } : at;
  await until(async () => ((await greeting(place)).includes('"jetstream":true') ? true : undefined), {
    withinMs: 15_000,
    everyMs: 10,
    what: 'NATS answers',
    ...(given && { given }),
  });
}

/**
 * Fails when JetStream does not answer: a server whose disk was full keeps its locks or switches JetStream off until it is started
 * again, and its own health check may not notice.
 */
export async function checkJetStream(monitorPort: number, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${monitorPort}/jsz`, { signal });
  const { disabled } = (await answer.json()) as { disabled?: boolean };
  if (!answer.ok || disabled) throw new Error(`JetStream is disabled or unwell (${answer.status})`);
}

function greeting(place: { host: string; port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(place);
    let text = '';
    socket.setEncoding('utf8').setTimeout(2_000, () => socket.destroy(new Error('no greeting')));
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (!text.includes('\r\n')) return;
      resolve(text);
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('closed before the greeting')));
  });
}
