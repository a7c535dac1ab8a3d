import { create } from '@bufbuild/protobuf';
import { IdentitySchema } from '@parley/proto/parley/identity/v1/identity_pb';
import fc from 'fast-check';
import { createTestApp, logIn, type TestApp } from '../support/app.ts';
import { startIdentity, type Platform } from '../support/platform.ts';
import { resolve } from '../support/tokens.ts';

// Any sequence of calls against a model of what an app's users and sessions are.

type User = { exists: boolean; version: number; suspended: boolean; name: string | undefined };
type Model = { users: Map<string, User>; sessions: { userId: string; token: string; alive: boolean }[] };
type Step = { what: keyof typeof steps; user: string; name: string; pick: number };

let platform: Platform;

beforeAll(async () => {
  platform = await startIdentity();
});

afterAll(() => platform.stop());

function succeeds(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}

function change(user: User, fields: Partial<User>): void {
  const changes = Object.entries(fields).some(([key, value]) => user[key as keyof User] !== value);
  Object.assign(user, fields, { version: user.version + (changes ? 1 : 0) });
}

function endSessions(model: Model, userId: string): void {
  for (const session of model.sessions) if (session.userId === userId) session.alive = false;
}

function userKey(app: TestApp, step: Step) {
  return { appId: app.uuid, userId: step.user };
}
function identityOf(app: TestApp, step: Step) {
  return create(IdentitySchema, { ...userKey(app, step), displayName: step.name });
}

// Each makes its call and the same change to the model, and checks whether the call succeeds.
const steps = {
  async logIn(app: TestApp, model: Model, user: User, step: Step) {
    const token = await logIn(platform, app, step.user, { display_name: step.name }).catch(() => undefined);
    expect(token !== undefined).toBe(!user.suspended);
    if (token === undefined) return;
    change(user, { exists: true, name: step.name });
    model.sessions.push({ userId: step.user, token, alive: true });
  },
  async create(app: TestApp, _model: Model, user: User, step: Step) {
    const call = platform.identity.createIdentity({ identity: identityOf(app, step) });
    expect(await succeeds(call)).toBe(!user.exists);
    if (!user.exists) change(user, { exists: true, name: step.name });
  },
  async replace(app: TestApp, _model: Model, user: User, step: Step) {
    const call = platform.identity.replaceIdentity({ identity: identityOf(app, step) });
    expect(await succeeds(call)).toBe(user.exists);
    if (user.exists) change(user, { name: step.name });
  },
  async clearName(app: TestApp, _model: Model, user: User, step: Step) {
    const call = platform.identity.updateIdentity({
      identity: create(IdentitySchema, userKey(app, step)),
      fields: ['display_name'],
    });
    expect(await succeeds(call)).toBe(user.exists);
    if (user.exists) change(user, { name: undefined });
  },
  async remove(app: TestApp, model: Model, user: User, step: Step) {
    expect(await succeeds(platform.identity.deleteIdentity(userKey(app, step)))).toBe(user.exists);
    if (!user.exists) return;
    change(user, { exists: false, suspended: false, name: undefined });
    endSessions(model, step.user);
  },
  async suspend(app: TestApp, model: Model, user: User, step: Step) {
    const call = platform.identity.setUserSuspended({ ...userKey(app, step), suspended: true });
    expect(await succeeds(call)).toBe(user.exists);
    if (!user.exists) return;
    change(user, { suspended: true });
    endSessions(model, step.user);
  },
  async resume(app: TestApp, _model: Model, user: User, step: Step) {
    const call = platform.identity.setUserSuspended({ ...userKey(app, step), suspended: false });
    expect(await succeeds(call)).toBe(user.exists);
    if (user.exists) change(user, { suspended: false });
  },
  async endOne(app: TestApp, model: Model, _user: User, step: Step) {
    const session = model.sessions[step.pick % Math.max(1, model.sessions.length)];
    if (!session) return;
    const call = platform.identity.deleteSession({ ...userKey(app, step), sessionToken: session.token });
    const mine = session.alive && session.userId === step.user;
    expect(await succeeds(call)).toBe(mine);
    if (mine) session.alive = false;
  },
  async endAll(app: TestApp, model: Model, user: User, step: Step) {
    expect(await succeeds(platform.identity.deleteUserSessions(userKey(app, step)))).toBe(user.exists);
    if (user.exists) endSessions(model, step.user);
  },
};

async function compare(app: TestApp, model: Model): Promise<void> {
  const { identities } = await platform.identity.findIdentities({
    appId: app.uuid,
    userIds: [...model.users.keys()],
  });
  const found = new Map(identities.map((identity) => [identity.userId, identity]));
  for (const [userId, user] of model.users) {
    const identity = found.get(userId);
    expect(identity?.version ?? 0).toBe(user.version);
    if (!identity) continue;
    expect([!identity.deleted, identity.suspended, identity.displayName]).toEqual([
      user.exists,
      user.suspended,
      user.name,
    ]);
  }
  const asked = model.sessions.map(({ token }) => ({ kind: 'session' as const, token }));
  const outcomes = await resolve(platform, asked);
  const callers = outcomes.map((outcome) => (outcome.case === 'caller' ? outcome.value.userId : undefined));
  expect(callers).toEqual(model.sessions.map(({ userId, alive }) => (alive ? userId : undefined)));
}

const step = fc.record({
  what: fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])),
  user: fc.constantFrom('ada', 'grace', 'Ünï✓'),
  name: fc.constantFrom('A', 'B'),
  pick: fc.nat(20),
});

test('users and sessions are those of a model after each call', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (sequence) => {
      const app = await createTestApp(platform);
      const model: Model = { users: new Map(), sessions: [] };
      for (const next of sequence) {
        const fresh = { exists: false, version: 0, suspended: false, name: undefined };
        const user = model.users.get(next.user) ?? fresh;
        model.users.set(next.user, user);
        await steps[next.what](app, model, user, next);
        await compare(app, model);
      }
    }),
    { numRuns: 25 },
  );
}, 60_000);
