import { int, listenPort, optionalListenPort, readEnv, rpcAddress, secret, str, url } from './env.ts';

test('variables are read by their validators, and the result is frozen', () => {
  const env = readEnv(
    {
      PORT: listenPort(),
      LEVEL: str({ choices: ['info', 'warn'], default: 'info' }),
      FACTOR: int({ max: 5 })({ default: 1 }),
    },
    { PORT: '8080', FACTOR: '3', OTHER: 'ignored' },
  );
  expect(env).toEqual({ PORT: 8080, LEVEL: 'info', FACTOR: 3 });
  expect(Object.isFrozen(env)).toBe(true);
});

test('every bad variable is reported at once, without the value of a secret', () => {
  const read = () =>
    readEnv(
      { PORT: listenPort(), SECRET: secret(), DATABASE: url(), ADDRESS: rpcAddress(), GOOD: str() },
      { PORT: '70000', SECRET: 'hush', ADDRESS: 'messaging', GOOD: 'yes' },
    );
  expect(read).toThrow(
    /PORT: .*"70000".*; SECRET: has fewer than 16 characters; DATABASE: is required; ADDRESS: not host:port/,
  );
  expect(read).not.toThrow(/hush|GOOD/);
});

test('a bad address is not shown, for the sake of its password', () => {
  expect(() => readEnv({ DATABASE: url() }, { DATABASE: '//parley:hush@host' })).toThrow(
    /^(?!.*hush).*DATABASE: not an/,
  );
});

test('an empty variable counts as absent', () => {
  expect(readEnv({ NAME: str({ default: 'svc' }) }, { NAME: '' })).toEqual({ NAME: 'svc' });
  expect(() => readEnv({ NAME: str() }, { NAME: '' })).toThrow('NAME: is required');
});

test.each(['-2', '1.5', 'x', '65536', ' '])('%p is no port', (PORT) => {
  expect(() => readEnv({ PORT: optionalListenPort() }, { PORT })).toThrow('PORT');
});

test.each([
  ['-1', -1],
  ['0', 0],
  ['65535', 65_535],
])('%p is a port', (PORT, value) => {
  expect(readEnv({ PORT: optionalListenPort() }, { PORT })).toEqual({ PORT: value });
});

test.each(['a:1', 'a:1,b-c.d:22', 'dns:///messaging:7000', '[::1]:80'])('%p is an address', (ADDRESS) => {
  expect(readEnv({ ADDRESS: rpcAddress() }, { ADDRESS })).toEqual({ ADDRESS });
});

test.each(['a', 'a:', 'http://a:1', 'a:1,,b:2'])('%p is not an address', (ADDRESS) => {
  expect(() => readEnv({ ADDRESS: rpcAddress() }, { ADDRESS })).toThrow('ADDRESS');
});
