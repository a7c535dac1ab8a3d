import { createRouterTransport } from '@connectrpc/connect';
import { failWith, problem } from '@parley/domain/problems';
import { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';
import { ask } from './support/ask.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';

// Wrong cookies of the console count for the caller's address, as other wrong tokens do.

/** The bucket hardly refills while a test runs. */
const env = { PARLEY_RATE_LIMIT_FAILED_TOKEN: '1', PARLEY_RATE_LIMIT_FAILED_TOKEN_BURST: '40' };
const GOOD = 'good';
const PLACES = [
  ['GET', '/console/session'],
  ['GET', '/console/sessions'],
  ['POST', '/console/app-token'],
  ['POST', '/console/sign-out'],
  ['DELETE', '/console/sessions/one'],
  ['POST', '/admin/rpc/parley.identity.v1.AdminService/ListApps'],
] as const;

let gateway: TestGateway;
let looks: number;

beforeEach(async () => {
  looks = 0;
  const look = ({ token }: { token: string }) => {
    looks += 1;
    return token === GOOD ? {} : failWith(problem('authentication_required'));
  };
  const identityTransport = createRouterTransport(({ service }) => {
    service(ConsoleService, {
      resumeConsoleSession: (asked) => ({ ...look(asked), session: { id: 'one' } }),
      endConsoleSession: look,
    });
  });
  gateway = await startGateway({ env, identityTransport });
});
afterEach(() => gateway.stop());

async function statusOf([method, path]: readonly [string, string], cookie: string): Promise<number> {
  const { port } = new URL(gateway.baseUrl);
  const headers = {
    origin: gateway.baseUrl,
    cookie: `parley_console_${port}=${cookie}`,
    'content-type': 'application/json',
  };
  const body = method === 'POST' ? { body: '{}' } : {};
  return (await ask(method, gateway.baseUrl + path, { headers, ...body })).status;
}

test.each(PLACES)('%s %s: after too many wrong cookies of an address none is looked up', async (...place) => {
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 500)
    statuses.push(await statusOf(place, `wrong-${statuses.length}`));
  const tried = statuses.filter((status) => status === 401).length;
  expect(tried).toBe(statuses.length - 1);
  expect(tried).toBeGreaterThanOrEqual(40);
  expect(looks).toBe(tried);
  // Those that are answered are those for which the bucket has refilled meanwhile.
  const more: number[] = [];
  for (let tries = 0; tries < 20; tries++) more.push(await statusOf(place, `more-${tries}`));
  expect(more).toContain(429);
  expect(looks - tried).toBe(more.filter((status) => status === 401).length);
});

test('good cookies do not count', async () => {
  for (let tries = 0; tries < 60; tries++) expect(await statusOf(PLACES[0], GOOD)).toBe(200);
  expect(await statusOf(PLACES[0], 'wrong')).toBe(401);
});
