import { readConfig } from './config.ts';

const REQUIRED = {
  PARLEY_DATABASE_URL: 'postgres://postgres@127.0.0.1:5432/parley_identity',
  PARLEY_NATS_URL: 'nats://127.0.0.1:4222',
  PARLEY_RPC_SECRET: 'a secret that is long',
  PARLEY_NONCE_SECRET: 'one more that is long',
};

test('variables that are not set have defaults', () => {
  expect(readConfig(REQUIRED)).toMatchObject({
    rpcPort: 0,
    wireName: 'svc',
    liveShards: 1,
    logLevel: 'info',
  });
});

test('one error names every invalid variable and no secret', () => {
  const read = () => readConfig({ PARLEY_RPC_SECRET: 'short', PARLEY_LIVE_SHARDS: '65' });
  expect(read).toThrow(
    /PARLEY_RPC_SECRET.*PARLEY_NATS_URL.*PARLEY_DATABASE_URL.*PARLEY_NONCE_SECRET.*PARLEY_LIVE_SHARDS/s,
  );
  expect(read).not.toThrow('short');
});
