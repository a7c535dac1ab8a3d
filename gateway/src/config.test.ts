import { readConfig } from './config.ts';

const ADDRESSES = ['IDENTITY', 'MESSAGING', 'PUSH', 'WEBHOOK', 'EXPORT', 'CONTENT', 'ANNOUNCEMENT'];
const NEEDED = {
  PARLEY_NATS_URL: 'nats://127.0.0.1:4222',
  PARLEY_RPC_SECRET: 'the-rpc-secret-of-tests',
  PARLEY_CONTENT_URL: 'https://content.example.com',
  PARLEY_CONTENT_SECRET: 'the-content-secret-of-tests',
  PARLEY_PUBLIC_URL: 'https://parley.example.com',
  ...Object.fromEntries(ADDRESSES.map((name) => [`PARLEY_${name}_ADDRESS`, '127.0.0.1:7000'])),
};

test('a gateway that serves the console needs the administration token', () => {
  expect(() => readConfig(NEEDED)).toThrow('PARLEY_ADMIN_TOKEN');
  const { console } = readConfig({ ...NEEDED, PARLEY_ADMIN_TOKEN: 'the-administration-token' });
  expect(console).toMatchObject({ adminToken: 'the-administration-token', onPublicPort: false });
});

test('a gateway beside the console’s server reads nothing of it, but allows its pages', () => {
  const config = readConfig({
    ...NEEDED,
    PARLEY_CONSOLE_SERVER: 'false',
    PARLEY_ADMIN_TOKEN: 'short',
    PARLEY_CONSOLE_URL: 'https://console.example.com',
    PARLEY_ALLOWED_ORIGINS: 'https://app.example.com',
  });
  expect(config.console).toBeUndefined();
  expect(config.allowedOrigins).toEqual(['https://app.example.com', 'https://console.example.com']);
});

test('a value that is neither true nor false is named with all others that are wrong', () => {
  const wrong = () => readConfig({ ...NEEDED, PARLEY_CONSOLE_SERVER: 'perhaps', PARLEY_HTTP_PORT: 'x' });
  for (const name of ['PARLEY_CONSOLE_SERVER', 'PARLEY_HTTP_PORT', 'PARLEY_ADMIN_TOKEN'])
    expect(wrong).toThrow(name);
});
