import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Interceptor, Transport } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import type { Environment } from './run.ts';

type LocalState = { base_url?: string; admin_token?: string };

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** A client of the administration API of the platform that the environment names, or that runs in this folder. */
export function createAdminTransport({ env, folder }: Pick<Environment, 'env' | 'folder'>): Transport {
  const stateFile = path.resolve(folder, env.PARLEY_DATA_DIR || '.parley/local', 'state.json');
  const state = readLocalState(stateFile);
  const url = env.PARLEY_URL || state.base_url || DEFAULT_URL;
  const token = env.PARLEY_ADMIN_TOKEN || state.admin_token;
  if (!token) {
    throw new Error(`PARLEY_ADMIN_TOKEN is not set, and no platform runs in this folder (no ${stateFile})`);
  }
  return createConnectTransport({
    baseUrl: `${withoutSlashesAtEnd(url)}/admin/rpc`,
    httpVersion: '1.1',
    useBinaryFormat: false,
    interceptors: [bearer(token)],
  });
}

function readLocalState(file: string): LocalState {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LocalState;
  } catch {
    return {};
  }
}

function bearer(token: string): Interceptor {
  return (next) => (request) => {
    request.header.set('authorization', `Bearer ${token}`);
    return next(request);
  };
}

function withoutSlashesAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
