import { createHash } from 'node:crypto';
import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { problem } from '@parley/domain/problems';
import { Caller_Kind, IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { until } from '@parley/testing';
import { call } from './support/call.ts';
import { ADMIN_TOKEN, startGateway, type TestGateway } from './support/gateway.ts';
import { APP_ID, NONCE } from './support/identity.ts';
import { close, refusedUpgrade, upgrade, type Upgraded } from './support/sockets.ts';

/** Bursts that a test reaches, and rates so low that they hardly refill while it runs. */
const env = {
  PARLEY_RATE_LIMIT_FAILED_TOKEN: '1',
  PARLEY_RATE_LIMIT_FAILED_TOKEN_BURST: '40',
  PARLEY_RATE_LIMIT_UPGRADE: '1',
  PARLEY_RATE_LIMIT_UPGRADE_BURST: '30',
  PARLEY_RATE_LIMIT_UPGRADE_ADDRESS: '1',
  PARLEY_RATE_LIMIT_UPGRADE_ADDRESS_BURST: '50',
  PARLEY_RATE_LIMIT_ADDRESS: '1',
  PARLEY_RATE_LIMIT_ADDRESS_BURST: '10',
  PARLEY_MAX_SOCKETS_PER_USER: '10',
  PARLEY_TRUSTED_PROXIES: '1',
};
/** More than what refills, however slow the machine. */
const SLACK = 40;

/** Look-ups of one address that are under way at once. */
const UNDER_WAY = 100;

const counted = { looks: 0, nonces: 0 };
/** What look-ups wait for; rejected: identity is unavailable. */
let untilAnswered: Promise<void> | undefined;
const users = new Map<string, string>();
let gateway: TestGateway;
let addresses = 0;

/** A good token of a user. */
function tokenOf(userId: string, session = 'only'): string {
  const token = `${userId}-${session}`;
  users.set(createHash('sha256').update(token).digest('hex'), token);
  return token;
}

const newAddress = () => `203.0.113.${++addresses}`;

beforeAll(async () => {
  const identityTransport = createRouterTransport(({ service }) => {
    service(IdentityService, {
      listRevocations: () => ({ cursor: 1 }),
      issueNonce: () => ((counted.nonces += 1), { nonce: NONCE }),
      async resolveTokens({ items }) {
        const results = items.map(({ tokenHash }) => resolve(tokenHash));
        await untilAnswered;
        return { results };
      },
    });
  });
  const messagingTransport = createRouterTransport(() => undefined);
  gateway = await startGateway({ env, identityTransport, messagingTransport });
  await until(() => gateway.context.auth.learnRevocations().then(() => true), {
    withinMs: 10_000,
    what: 'revocations are known',
  });
});
afterAll(() => gateway.stop());
beforeEach(() => Object.assign(counted, { looks: 0, nonces: 0 }));

function resolve(tokenHash: Uint8Array) {
  counted.looks += 1;
  const id = users.get(Buffer.from(tokenHash).toString('hex'));
  const userId = id?.split('-')[0] ?? '';
  const value = { kind: Caller_Kind.SESSION, id: id ?? '', appId: APP_ID, userId };
  return id === undefined
    ? { outcome: { case: 'problem' as const, value: problem('authentication_required') } }
    : { outcome: { case: 'caller' as const, value } };
}

async function get(token: string | undefined, address: string) {
  const authorization = token && `Svc session-token="${token}"`;
  return call('GET', `${gateway.baseUrl}/`, { headers: { authorization, 'x-forwarded-for': address } });
}

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const withStatus = <T extends { status: number }>(answers: T[], status: number) =>
  answers.filter((answer) => answer.status === status);

/** One after the other, only as many tokens are looked up as flow into the bucket meanwhile, and these are answered. */
async function expectRefusedUnseen(address: string): Promise<void> {
  counted.looks = 0;
  const statuses: number[] = [];
  for (let tried = 0; tried < 20; tried++) statuses.push((await get(`more-${tried}`, address)).status);
  expect(statuses).toContain(429);
  expect(statuses.filter((status) => status !== 429)).toEqual(Array(counted.looks).fill(401));
}

describe('wrong tokens of an address', () => {
  test('are refused without a nonce, and then without a look-up, after too many of them', async () => {
    const address = newAddress();
    const answers = await times(600, (index) => get(`wrong-${index}`, address));
    const [tried, refused] = [withStatus(answers, 401), withStatus(answers, 429)];
    expect(tried.length + refused.length).toBe(600);
    expect(tried.length).toBeGreaterThanOrEqual(40);
    expect(tried.length).toBeLessThan(40 + SLACK);
    expect(counted.nonces).toBe(tried.length);
    expect(counted.looks).toBeLessThan(40 + SLACK + UNDER_WAY);
    await expectRefusedUnseen(address);
    expect(refused[0]?.json).toMatchObject({ id: 'rate_limit_exceeded', data: { policy: 'failed_token' } });
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
  });

  test('count when they are missing, since the answer brings a nonce', async () => {
    const address = newAddress();
    const url = `${gateway.baseUrl}/following`;
    const answers = await times(200, () => call('GET', url, { headers: { 'x-forwarded-for': address } }));
    const tried = withStatus(answers, 401);
    expect(tried.length).toBeLessThan(40 + SLACK);
    expect(withStatus(answers, 429)).toHaveLength(200 - tried.length);
    expect(counted).toEqual({ looks: 0, nonces: tried.length });
  });

  test('affect neither another address, nor a token that was valid at this gateway before', async () => {
    const [address, another] = [newAddress(), newAddress()];
    expect((await get(tokenOf('ada'), another)).status).toBe(204);
    await times(200, () => get('wrong', address));
    expect((await get('wrong', address)).status).toBe(429);
    expect((await get(tokenOf('ada'), address)).status).toBe(204);
    expect((await get('wrong', another)).status).toBe(401);
  });

  test('do not include valid ones: users may share an address', async () => {
    const address = newAddress();
    for (let round = 0; round < 5; round++) {
      const answers = await times(30, (index) => get(tokenOf(`user${round}`, String(index)), address));
      expect(withStatus(answers, 204)).toHaveLength(30);
    }
    expect(counted.looks).toBe(150);
    expect((await get('wrong', address)).status).toBe(401);
  });

  test('do not include valid ones, even if more arrive at once than may be wrong', async () => {
    const address = newAddress();
    const answers = await times(500, (index) => get(tokenOf('crowd', String(index)), address));
    expect(withStatus(answers, 204)).toHaveLength(500);
    expect(counted.looks).toBe(500);
  });

  test('do not include those that cannot be looked up, which are answered with service_unavailable', async () => {
    const address = newAddress();
    const { promise, reject } = Promise.withResolvers<void>();
    untilAnswered = promise;
    const asked = times(200, (index) => get(tokenOf('stuck', String(index)), address));
    await until(() => counted.looks > 0, { withinMs: 10_000, what: 'the first are being looked up' });
    reject(new ConnectError('identity is down', Code.Unavailable));
    expect(withStatus(await asked, 503)).toHaveLength(200);
    untilAnswered = undefined;
    expect((await get(tokenOf('stuck', 'again'), address)).status).toBe(204);
  });

  test('include those of upgrades', async () => {
    const address = newAddress();
    const answers = await times(50, () => open('wrong', address));
    const tried = withStatus(answers, 401);
    expect(tried.length).toBeGreaterThanOrEqual(40);
    expect(withStatus(answers, 429)).toHaveLength(50 - tried.length);
    await expectRefusedUnseen(address);
  });

  test('include upgrades without a token', async () => {
    const address = newAddress();
    const answers = await times(48, () => open(undefined, address));
    const tried = withStatus(answers, 401);
    expect(tried.length).toBeGreaterThanOrEqual(40);
    expect(withStatus(answers, 429)).toHaveLength(48 - tried.length);
    await expectRefusedUnseen(address);
  });

  test('include those of the administration API, whose valid token is never refused', async () => {
    const address = newAddress();
    const list = (token: string) =>
      call('POST', `${gateway.baseUrl}/admin/rpc/parley.identity.v1.AdminService/ListApps`, {
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
        body: {},
      });
    const answers = await times(200, (index) => list(`wrong-${index}`));
    const [tried, refused] = [withStatus(answers, 401), withStatus(answers, 429)];
    expect(tried.length).toBeGreaterThanOrEqual(40);
    expect(tried.length).toBeLessThan(40 + SLACK);
    expect(refused).toHaveLength(200 - tried.length);
    expect(refused[0]?.json).toMatchObject({ code: 'resource_exhausted' });
    expect(refused[0]?.headers.get('ratelimit')).toMatch(/^"failed_token";r=0;t=\d+$/);
    expect([401, 429]).not.toContain((await list(ADMIN_TOKEN)).status);
    await expectRefusedUnseen(address);
  });
});

describe('the limit of an address comes before its headers are parsed', () => {
  const bad = (address: string) => ({ accept: 'nonsense', 'x-forwarded-for': address });

  test('for requests without a token, which are refused for their Accept while there is room', async () => {
    const address = newAddress();
    const ask = (headers = {}) =>
      call('GET', `${gateway.baseUrl}/following`, { headers: { ...bad(address), ...headers } });
    expect((await ask()).status).toBe(406);
    const answers = await times(200, () => ask());
    expect(withStatus(answers, 406).length).toBeLessThan(40 + SLACK);
    expect(withStatus(answers, 429).length).toBeGreaterThanOrEqual(200 - 40 - SLACK);
    const answered = await times(200, () => ask({ authorization: 'Svc session-token="never-seen"' }));
    expect(withStatus(answered, 429)).not.toEqual([]);
  });

  test('but not for a token that was good here before', async () => {
    const address = newAddress();
    expect((await get(tokenOf('ada'), address)).status).toBe(204);
    const authorization = `Svc session-token="${tokenOf('ada')}"`;
    await times(200, () => get('wrong', address));
    const headers = { ...bad(address), authorization };
    expect((await call('GET', `${gateway.baseUrl}/following`, { headers })).status).toBe(406);
  });

  test('for logins', async () => {
    const answers = await times(60, () =>
      call('POST', `${gateway.baseUrl}/nonces`, { headers: bad('203.0.114.1') }),
    );
    expect(withStatus(answers, 406).length).toBeLessThan(10 + SLACK);
    expect(withStatus(answers, 429).length).toBe(60 - withStatus(answers, 406).length);
    expect(withStatus(answers, 429)).not.toEqual([]);
  });

  test('for upgrades', async () => {
    const headers = { ...bad('203.0.114.2'), connection: 'upgrade', upgrade: 'websocket' };
    const answers = await times(150, () => refusedUpgrade(gateway.baseUrl, headers));
    expect(answers.filter((status) => status === 400).length).toBeLessThan(50 + SLACK);
    expect(answers.filter((status) => status === 429)).not.toEqual([]);
    expect(new Set(answers)).toEqual(new Set([400, 429]));
  });
});

const opened: Upgraded[] = [];
async function open(token: string | undefined, address = newAddress()): Promise<Upgraded> {
  const answer = await upgrade(gateway.baseUrl, token, { 'x-forwarded-for': address });
  opened.push(answer);
  return answer;
}
afterEach(async () => void (await Promise.all(opened.splice(0).map(close))));

describe('upgrades', () => {
  test('of one session at the same time succeed up to the limit of sockets', async () => {
    const answers = await times(800, () => open(tokenOf('grace')));
    expect(withStatus(answers, 101)).toHaveLength(10);
    const refused = withStatus(answers, 429);
    expect(refused).toHaveLength(790);
    const { 'retry-after': retryAfter, ratelimit } = refused[0]?.headers ?? {};
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(ratelimit).toMatch(new RegExp(`^"(upgrade|sockets_per_user)";r=0;t=${retryAfter}$`));
  });

  test('of a session are limited by rate', async () => {
    let granted = 0;
    for (; granted < 30 + SLACK; granted++) {
      const answer = await open(tokenOf('alan'));
      if (answer.status === 429) break;
      expect(answer.status).toBe(101);
      await close(answer);
    }
    expect(granted).toBeGreaterThanOrEqual(30);
    expect(granted).toBeLessThan(30 + SLACK);
  });

  test('of an address are limited by rate, with any token', async () => {
    const address = newAddress();
    const answers = await times(150, (index) => open(tokenOf(`crowd${index}`), address));
    const granted = withStatus(answers, 101);
    expect(granted.length).toBeGreaterThanOrEqual(50);
    expect(granted.length).toBeLessThan(50 + SLACK);
    expect(withStatus(answers, 429)).toHaveLength(150 - granted.length);
  });

  test('of a user at the limit of sockets are refused, for any session, until a socket closes', async () => {
    const sessions = Array.from({ length: 12 }, (_, index) => tokenOf('linus', String(index)));
    for (const token of sessions.slice(0, 10)) expect((await open(token)).status).toBe(101);
    expect((await open(sessions[10] ?? '')).status).toBe(429);
    expect((await open(tokenOf('barbara'))).status).toBe(101);
    const [first] = opened;
    if (first) await close(first);
    const admitted = await until(async () => withStatus([await open(sessions[11] ?? '')], 101)[0], {
      withinMs: 10_000,
      what: 'the place of the closed socket is free',
    });
    expect(admitted.status).toBe(101);
  });
});
