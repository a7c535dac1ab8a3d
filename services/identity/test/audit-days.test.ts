import { sweepAudit } from '../src/timers/sweep-audit.ts';
import { startIdentity, type Platform } from './support/platform.ts';

// docs/console.md#the-audit-log

const DAY_MS = 86_400_000;
let platform: Platform;

beforeAll(async () => {
  platform = await startIdentity({ auditDays: 30 });
});
afterAll(() => platform.stop());

test('entries go after the days of the setting, except what was done to applications and their keys', async () => {
  const { admin, clock } = platform;
  const { appUuid } = (await admin.createApp({ name: 'kept', environment: 'test' })).app!;
  const { provider } = await admin.createProvider({ appUuid, name: 'kept' });
  await admin.createSignInCode({});
  const { code } = await admin.createSignInCode({});
  const { token } = await platform.console.redeemSignInCode({ code });
  await platform.console.createAppToken({ sessionToken: token, appId: appUuid, access: 'read', origin: '' });
  clock.advance(29 * DAY_MS);
  const context = { ...platform.service.context, clock };
  await sweepAudit(context);
  const before = (await admin.listAuditEntries({})).entries.map(({ action }) => action);
  expect(before).toEqual(
    expect.arrayContaining(['sign_in_code.created', 'access_token.issued_to_read', 'provider.created']),
  );
  clock.advance(DAY_MS + 1);
  await sweepAudit(context);
  const { entries } = await admin.listAuditEntries({});
  expect(entries.map(({ action }) => action)).toEqual(['provider.created', 'app.created']);
  expect(provider?.id).toContain(entries[0]?.subject);
});
