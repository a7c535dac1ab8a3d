import { fileURLToPath } from 'node:url';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import { CALL_TIMEOUT_MS, createTestDatabase, freePort, startTestProcess, testNats } from '@parley/testing';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const SECRET = 'a secret of these tests';

/** The service in a process of its own that can be killed, and started again at the same port. */
export async function prepareProcess(blobs: Record<string, string>) {
  const [rpcPort, httpPort] = [await freePort(), await freePort()];
  const env = {
    PARLEY_RPC_PORT: String(rpcPort),
    PARLEY_HTTP_PORT: String(httpPort),
    PARLEY_DATABASE_URL: await createTestDatabase(),
    PARLEY_NATS_URL: await testNats(),
    PARLEY_RPC_SECRET: SECRET,
    PARLEY_MESSAGING_ADDRESS: '127.0.0.1:1',
    PARLEY_CONTENT_URL: `http://127.0.0.1:${httpPort}`,
    PARLEY_CONTENT_SECRET: SECRET,
    PARLEY_PUBLIC_URL: 'http://gateway.test',
    PARLEY_LOG_LEVEL: 'fatal',
    ...blobs,
  };
  const log = createLogger({ service: 'test', level: 'silent' });
  const channel = createRpcChannel({
    address: `127.0.0.1:${rpcPort}`,
    secret: SECRET,
    log,
    timeoutMs: CALL_TIMEOUT_MS,
  });

  const start = () => startTestProcess(main, env);
  return { start, content: channel.client(ContentService), close: () => channel.close() };
}
