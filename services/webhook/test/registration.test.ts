import { randomUUID } from 'node:crypto';
import { problemOf } from '@parley/domain/problems';
import { WebhookStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { until } from '@parley/testing';
import { startReceiver, type Receiver } from '@parley/testing/doubles/receiver';
import { startWebhooks, type Platform } from './support/platform.ts';
import { register, registerActive, SECRET, untilStatus, type Registration } from './support/webhooks.ts';

let platform: Platform;
let receiver: Receiver;
const appId = randomUUID();

beforeAll(async () => {
  platform = await startWebhooks();
});
afterAll(() => platform.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

async function faultOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  const { id, data } = problemOf(error) ?? {};
  return data?.['property'] === undefined ? String(id) : `${id}: ${String(data['property'])}`;
}

describe('a registered webhook', () => {
  const target_url = 'https://example.com/hook';
  const refused: [string, Registration][] = [
    ['missing_property: version', { version: undefined, target_url: 1, events: 1, secret: 1 }],
    ['invalid_property: version', { version: 3, target_url: undefined }],
    ['invalid_property: version', { version: '2.0', target_url: 'nonsense' }],
    ['missing_property: target_url', { target_url: null, events: undefined, secret: undefined }],
    ['invalid_property: target_url', { target_url: 'nonsense', events: undefined }],
    ['invalid_property: target_url', { target_url: 'ftp://example.com/' }],
    ['invalid_property: target_url', { target_url: 'https://ada:secret@example.com/' }],
    ['missing_property: events', { target_url, events: undefined, secret: undefined }],
    ['invalid_property: events', { target_url, events: ['Message.created', 'Message.read'], secret: 1 }],
    ['invalid_property: events', { target_url, events: [] }],
    ['invalid_property: events', { target_url, events: 'Message.created' }],
    ['missing_property: secret', { target_url, secret: undefined, config: 'x' }],
    ['invalid_property: secret', { target_url, secret: 5 }],
    ['invalid_property: secret', { target_url, secret: '' }],
    ['invalid_property: secret', { target_url, secret: 'whsec_' }],
    ['invalid_property: config', { target_url, config: 'words' }],
    ['invalid_property: config', { target_url, config: { a: 'x'.repeat(20_000) } }],
  ];
  test.each(refused)('is refused as %s of %j', async (fault, changes) => {
    expect(await faultOf(register(platform, appId, changes))).toBe(fault);
  });

  test('is shown without its secret', async () => {
    const config = { team: 'a', nested: { list: [1, null, true] } };
    const created = await register(platform, appId, { target_url: receiver.url, config });
    expect(created).toMatchObject({
      version: '3.0',
      targetUrl: receiver.url,
      events: ['Message.created'],
      config,
    });
    expect(created.status).toBe(WebhookStatus.UNVERIFIED);
    const { webhook } = await platform.webhooks.getWebhook({ appId, id: created.id });
    expect(JSON.stringify(webhook)).not.toContain(SECRET);
    const { webhooks } = await platform.webhooks.listWebhooks({ appId });
    expect(webhooks.map(({ id }) => id)).toContain(created.id);
  });

  test('keeps its secret sealed in the database', async () => {
    const { id } = await register(platform, appId, { target_url: receiver.url });
    const [row] = await platform.ctx.db.query<{ row: string; secrets: Buffer }>({
      text: 'select webhook::text as row, secrets from webhook where id = $1',
      values: [id],
    });
    expect(row!.row).not.toContain(SECRET);
    expect(row!.secrets.includes(SECRET)).toBe(false);
  });

  test('is visible to its own application only', async () => {
    const { id } = await register(platform, appId, { target_url: receiver.url });
    const other = { appId: randomUUID(), id };
    const { webhooks } = platform;
    expect(await faultOf(webhooks.getWebhook(other))).toBe('not_found');
    expect(await faultOf(webhooks.deleteWebhook(other))).toBe('not_found');
    expect(await faultOf(webhooks.activateWebhook(other))).toBe('not_found');
    expect(await faultOf(webhooks.rotateSecret(other))).toBe('not_found');
    expect((await webhooks.listWebhooks({ appId: other.appId })).webhooks).toEqual([]);
  });

  test('http is refused where it is not allowed', async () => {
    const strict = await startWebhooks({ env: { PARLEY_WEBHOOK_ALLOW_HTTP: 'false' } });
    const target = { target_url: 'http://example.com/', events: undefined };
    expect(await faultOf(register(strict, appId, target))).toBe('invalid_property: target_url');
    await strict.stop();
  });
});

describe('verification', () => {
  test('activates a target that answers with the challenge, and keeps its query', async () => {
    const target_url = `${receiver.url}?a=b%20c`;
    await registerActive(platform, appId, { target_url });
    const { url, headers } = receiver.verifications[0]!;
    expect(url.search).toMatch(/^\?a=b%20c&verification_challenge=[\w-]{43}$/);
    expect(headers['user-agent']).toBe('svc-webhooks/3.0');
  });

  const failing: [string, Receiver['verify'], RegExp][] = [
    ['another status', (challenge, response) => response.writeHead(201).end(challenge), /answered 201/],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/else' }).end(), /answered 302/],
    ['another body', (_, response) => response.end('hello'), /did not answer with the challenge/],
    ['more than the challenge', (challenge, response) => response.end(`${challenge}\n`), /challenge/],
    ['a part of it', (challenge, response) => response.end(challenge.slice(1)), /challenge/],
    ['a long body', (challenge, response) => response.end(challenge.padEnd(100_000)), /challenge/],
    ['no answer', (_, response) => response.destroy(), /verification failed: /],
  ];
  test.each(failing)(
    'deactivates, with a reason, a target that answers with %s',
    async (_name, verify, reason) => {
      receiver.verify = verify;
      const created = await register(platform, appId, { target_url: receiver.url });
      const webhook = await untilStatus(platform, created, WebhookStatus.INACTIVE);
      expect(webhook.statusReason).toMatch(reason);
      expect(receiver.verifications).toHaveLength(1);
    },
  );

  test('gives up after 10 s, and delays no other in the meantime', async () => {
    receiver.verify = (challenge, response) =>
      void (receiver.verifications.length > 1 && response.end(challenge));
    const slow = await register(platform, appId, { target_url: receiver.url });
    await until(() => receiver.verifications[0], { withinMs: 10_000, what: 'the first is asked' });
    await registerActive(platform, appId, { target_url: receiver.url });
    const webhook = await untilStatus(platform, slow, WebhookStatus.INACTIVE);
    expect(webhook.statusReason).toContain('no answer within 10 s');
  });

  test('survives the process that began it', async () => {
    receiver.verify = () => undefined;
    const created = await register(platform, appId, { target_url: receiver.url });
    await until(() => receiver.verifications[0], { withinMs: 10_000, what: 'the target is asked' });
    receiver.verify = (challenge, response) => response.end(challenge);
    platform.clock.advance(15_000);
    await untilStatus(platform, created, WebhookStatus.ACTIVE);
    expect(receiver.verifications).toHaveLength(2);
  });

  test('an answer to an earlier verification does not count', async () => {
    let late = (): unknown => undefined;
    receiver.verify = (challenge, response) => {
      if (receiver.verifications.length === 2) return void response.writeHead(500).end();
      late = () => response.end(challenge);
    };
    const { id } = await register(platform, appId, { target_url: receiver.url });
    await until(() => receiver.verifications[0], { withinMs: 10_000, what: 'the target is asked' });
    const { webhook } = await platform.webhooks.activateWebhook({ appId, id });
    await untilStatus(platform, webhook!, WebhookStatus.INACTIVE);
    late();
    receiver.verify = (challenge, response) => response.end(challenge);
    await registerActive(platform, appId, { target_url: receiver.url });
    await untilStatus(platform, webhook!, WebhookStatus.INACTIVE);
  });
});

describe('states', () => {
  test('deactivate works from each of them, and activate leads back', async () => {
    receiver.verify = () => undefined;
    const { webhooks } = platform;
    const { id } = await register(platform, appId, { target_url: receiver.url });
    const off = async () => (await webhooks.deactivateWebhook({ appId, id })).webhook!;
    expect(await off()).toMatchObject({
      status: WebhookStatus.INACTIVE,
      statusReason: 'deactivated by request',
    });
    expect((await off()).status).toBe(WebhookStatus.INACTIVE);
    receiver.verify = (challenge, response) => response.end(challenge);
    const on = (await webhooks.activateWebhook({ appId, id })).webhook!;
    expect(on.status).toBe(WebhookStatus.UNVERIFIED);
    expect(on.statusReason).toBeUndefined();
    await untilStatus(platform, on, WebhookStatus.ACTIVE);
    expect((await off()).status).toBe(WebhookStatus.INACTIVE);
  });

  test('activating an active webhook verifies it again', async () => {
    const { id } = await registerActive(platform, appId, { target_url: receiver.url });
    const { webhook } = await platform.webhooks.activateWebhook({ appId, id });
    expect(webhook!.status).toBe(WebhookStatus.UNVERIFIED);
    await untilStatus(platform, webhook!, WebhookStatus.ACTIVE);
    expect(receiver.verifications).toHaveLength(2);
  });

  test('a deleted webhook is gone', async () => {
    const { id } = await register(platform, appId, { target_url: receiver.url });
    await platform.webhooks.deleteWebhook({ appId, id });
    expect(await faultOf(platform.webhooks.getWebhook({ appId, id }))).toBe('not_found');
    expect(await faultOf(platform.webhooks.deleteWebhook({ appId, id }))).toBe('not_found');
  });
});

describe('changes', () => {
  test('of all fields but the target leave it active', async () => {
    const { id } = await registerActive(platform, appId, { target_url: receiver.url, config: { a: 1 } });
    const properties = {
      events: ['Receipt.created'],
      config: null,
      secret: 'another',
      target_url: receiver.url,
    };
    const { webhook } = await platform.webhooks.updateWebhook({ appId, id, properties });
    expect(webhook).toMatchObject({ status: WebhookStatus.ACTIVE, events: ['Receipt.created'] });
    expect(webhook!.config).toBeUndefined();
    expect(receiver.verifications).toHaveLength(1);
  });

  test('of the target have it verified again', async () => {
    const { id } = await registerActive(platform, appId, { target_url: receiver.url, config: { a: 1 } });
    const properties = { target_url: `${receiver.url}/else` };
    const { webhook } = await platform.webhooks.updateWebhook({ appId, id, properties });
    expect(webhook).toMatchObject({ status: WebhookStatus.UNVERIFIED, config: { a: 1 } });
    await untilStatus(platform, webhook!, WebhookStatus.ACTIVE);
    expect(receiver.verifications.at(-1)!.url.pathname).toBe('/hook/else');
  });

  test.each([{ events: [] }, { events: ['x'] }, { target_url: 'x' }, { secret: '' }, { config: 1 }])(
    'to %j are refused',
    async (properties) => {
      const { id } = await register(platform, appId, { target_url: receiver.url });
      const property = Object.keys(properties)[0];
      const call = platform.webhooks.updateWebhook({ appId, id, properties: properties as never });
      expect(await faultOf(call)).toBe(`invalid_property: ${property}`);
    },
  );
});

test('the number of an application’s webhooks is limited, also for simultaneous registrations', async () => {
  const limited = await startWebhooks({ env: { PARLEY_MAX_WEBHOOKS_PER_APP: '3' } });
  try {
    const [crowded, another] = [randomUUID(), randomUUID()];
    const target_url = 'https://example.com/hook';
    const calls = Array.from({ length: 10 }, () => register(limited, crowded, { target_url }));
    const created = (await Promise.allSettled(calls)).flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    expect(created).toHaveLength(3);
    const refusal = register(limited, crowded, { target_url });
    expect(await faultOf(refusal)).toBe('invalid_operation: webhooks');
    const { data } = problemOf(await refusal.catch((error: unknown) => error)) ?? {};
    expect(data).toEqual({ property: 'webhooks', limit: 3 });
    await register(limited, another, { target_url });
    await limited.webhooks.deleteWebhook({ appId: crowded, id: created[0]?.id ?? '' });
    await register(limited, crowded, { target_url });
  } finally {
    await limited.stop();
  }
});
