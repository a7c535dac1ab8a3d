import type { Client } from '@connectrpc/connect';
import { expectProblem } from '@parley/domain/testing/problems';
import type { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';

import { startIdentity, type Platform } from './support/platform.ts';

// docs/console.md

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let platform: Platform;
let access: Client<typeof ConsoleService>;

beforeAll(async () => {
  platform = await startIdentity();
  access = platform.console;
});
afterAll(() => platform.stop());

async function signIn(): Promise<string> {
  const { code } = await platform.admin.createSignInCode({});
  return (await access.redeemSignInCode({ code })).token;
}

describe('a sign-in code', () => {
  test('opens the console once, as an owner', async () => {
    const { code } = await platform.admin.createSignInCode({});
    const { session, token } = await access.redeemSignInCode({ code });
    expect(session).toMatchObject({
      person: { issuer: 'local', subject: 'owner' },
      roles: [{ role: 'owner' }],
      method: 'code',
    });
    expect(session?.roles[0]?.appId).toBeUndefined();
    expect((await access.resumeConsoleSession({ token })).session?.id).toBe(session?.id);
    await expectProblem(access.redeemSignInCode({ code }), 'authentication_required');
  });

  test('is taken once when several gateways bring it at the same time', async () => {
    const { code } = await platform.admin.createSignInCode({});
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => access.redeemSignInCode({ code })),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('expires', async () => {
    const { code, expiresAt } = await platform.admin.createSignInCode({});
    platform.clock.advance(expiresAt - platform.clock.now());
    await expectProblem(access.redeemSignInCode({ code }), 'authentication_required');
  });

  test.each(['', 'x', '__proto__', "' or true --"])('%j is none', async (code) => {
    await expectProblem(access.redeemSignInCode({ code }), 'authentication_required');
  });

  test('is stored as a hash alone, and so is the token of a session', async () => {
    const { code } = await platform.admin.createSignInCode({});
    const token = await signIn();
    const rows = await platform.db.query<{ text: string }>({
      text: `select c::text as text from sign_in_code c union all select s::text from console_session s`,
    });
    const stored = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThan(1);
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(token);
  });
});

describe('a console session', () => {
  test('ends when it is not used for two hours', async () => {
    const token = await signIn();
    platform.clock.advance(2 * HOUR_MS - 1_000);
    await access.resumeConsoleSession({ token });
    platform.clock.advance(2 * HOUR_MS - 1_000);
    await access.resumeConsoleSession({ token });
    platform.clock.advance(2 * HOUR_MS);
    await expectProblem(access.resumeConsoleSession({ token }), 'authentication_required');
  });

  test('ends twelve hours after its beginning, however much it is used', async () => {
    const token = await signIn();
    for (let hour = 1; hour < 12; hour++) {
      platform.clock.advance(HOUR_MS);
      await access.resumeConsoleSession({ token });
    }
    platform.clock.advance(HOUR_MS);
    await expectProblem(access.resumeConsoleSession({ token }), 'authentication_required');
  });

  test('is listed and ended by its person', async () => {
    const [mine, other] = [await signIn(), await signIn()];
    const { session } = await access.resumeConsoleSession({ token: other });
    const { sessions } = await access.listConsoleSessions({ token: mine });
    expect(sessions.map(({ id }) => id)).toContain(session?.id);
    await access.endConsoleSession({ token: mine, sessionId: session?.id ?? '' });
    await expectProblem(access.resumeConsoleSession({ token: other }), 'authentication_required');
    await expectProblem(access.endConsoleSession({ token: mine, sessionId: session?.id ?? '' }), 'not_found');
    await expectProblem(access.endConsoleSession({ token: mine, sessionId: 'x' }), 'not_found');
    await access.endConsoleSession({ token: mine });
    await expectProblem(access.resumeConsoleSession({ token: mine }), 'authentication_required');
  });

  test('is listed and revoked by an administrator, which the audit log keeps', async () => {
    const token = await signIn();
    const { session } = await access.resumeConsoleSession({ token });
    const id = session?.id ?? '';
    const { appUuid } = (await platform.admin.createApp({ name: 'Engines', environment: 'test' })).app!;
    const grant = { sessionToken: token, appId: appUuid, access: 'read', origin: 'http://localhost' };
    await access.createAppToken(grant);
    const [first] = (await platform.admin.listOpenConsoleSessions({ pageSize: 1 })).sessions;
    expect(first).toMatchObject({ id, person: { issuer: 'local', subject: 'owner' }, method: 'code' });
    const { sessions: older } = await platform.admin.listOpenConsoleSessions({ fromId: id });
    expect(older.map((one) => one.id)).not.toContain(id);
    await platform.admin.revokeConsoleSession({ consoleSessionId: id });
    await expectProblem(access.resumeConsoleSession({ token }), 'authentication_required');
    const behind = (await platform.admin.listOpenConsoleSessions({ fromId: id })).sessions;
    expect(behind.map((one) => one.id)).toEqual(older.map((one) => one.id));
    const [row] = await platform.db.query<{ count: number }>({
      text: `select count(*)::int as count from access_token where console_session_id = $1`,
      values: [id],
    });
    expect(row?.count).toBe(0);
    const { entries } = await platform.admin.listAuditEntries({ pageSize: 1 });
    expect(entries).toMatchObject([
      { action: 'console_session.revoked', actor: 'admin', subject: `${id} of owner at local` },
    ]);
    await expectProblem(platform.admin.revokeConsoleSession({ consoleSessionId: id }), 'not_found');
    await expectProblem(platform.admin.revokeConsoleSession({ consoleSessionId: 'x' }), 'invalid_property', {
      property: 'console_session_id',
    });
  });

  test('gives tokens of applications that end with it', async () => {
    const token = await signIn();
    const { appUuid } = (await platform.admin.createApp({ name: 'Looms', environment: 'test' })).app!;
    const grant = { sessionToken: token, appId: appUuid, access: 'read', origin: 'http://localhost' };
    const { expiresAt } = await access.createAppToken(grant);
    expect(expiresAt).toBe(platform.clock.now() + 5 * MINUTE_MS);
    for (let hour = 1; hour < 12; hour++) {
      platform.clock.advance(HOUR_MS);
      await access.resumeConsoleSession({ token });
    }
    platform.clock.advance(HOUR_MS - MINUTE_MS);
    const late = await access.createAppToken(grant);
    expect(late.expiresAt).toBe(platform.clock.now() + MINUTE_MS);
  });

  test('is not ended by another person', async () => {
    const token = await signIn();
    const { session } = await access.resumeConsoleSession({ token });
    await platform.db.execute({
      text: `update console_session set subject = 'another' where id = $1`,
      values: [session?.id],
    });
    const mine = await signIn();
    await expectProblem(access.endConsoleSession({ token: mine, sessionId: session?.id ?? '' }), 'not_found');
    const { sessions } = await access.listConsoleSessions({ token: mine });
    expect(sessions.map(({ id }) => id)).not.toContain(session?.id);
  });
});
