import { randomUUID } from 'node:crypto';
import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import { call } from '../../support/http.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';
import {
  SECRET,
  subscribe,
  untilStatus,
  verifySignatures,
  waitFor,
  webhooksCall,
} from '../../support/webhooks.ts';

let app: TestApp;
let ada: TestUser;

const registration = {
  version: '3.0',
  target_url: 'http://127.0.0.1:1/hook',
  events: ['Message.created'],
  secret: SECRET,
};

beforeAll(async () => {
  app = await createApp(await platform());
  [ada] = await Promise.all([app.login('ada'), app.login('bob')]);
});

async function createConversation(participants = ['ada', 'bob']) {
  const { body } = await app.server('POST', '/conversations', 201, { body: { participants } });
  return uuidOf(body.id);
}
async function say(conversation: string, text: string) {
  return (
    await ada.call('POST', `/conversations/${conversation}/messages`, 201, {
      body: { parts: [textPart(text)] },
    })
  ).body;
}

describe('the API', () => {
  test('requires a bearer token and its own media type', async () => {
    const url = `${app.baseUrl}/apps/${app.appUuid}/webhooks`;
    const accept = 'application/vnd.svc.webhooks+json; version=3.0';
    await call('GET', url, 401, { headers: { accept } });
    await call('GET', url, 401, { headers: { accept, authorization: 'Bearer nonsense' } });
    const { body } = await app.server('GET', '/webhooks', 406);
    expect(body).toMatchObject({ id: 'invalid_header', data: { header: 'Accept' } });
    const { headers } = await webhooksCall(app, 'GET', '', 200);
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  test('checks version, target_url, events and secret, in this order', async () => {
    const missing = async (body: object) =>
      (await webhooksCall(app, 'POST', '', 422, { body })).body as { id: string; data: { property: string } };
    const { version, target_url, events } = registration;
    const expected = (property: string) => ({ id: 'missing_property', code: 104, data: { property } });
    expect(await missing({})).toMatchObject(expected('version'));
    expect(await missing({ version })).toMatchObject(expected('target_url'));
    expect(await missing({ version, target_url })).toMatchObject(expected('events'));
    expect(await missing({ version, target_url, events })).toMatchObject(expected('secret'));
    const wrong = { ...registration, target_url: 'nonsense', events: ['Message.read'] };
    expect(await missing(wrong)).toMatchObject({ id: 'invalid_property', data: { property: 'target_url' } });
    expect(await missing({ ...wrong, target_url })).toMatchObject({ data: { property: 'events' } });
  });

  test('shows a registration, and never its secret', async () => {
    const config = { team: 'a', nested: { numbers: [1, 2.5] } };
    const { body } = await webhooksCall(app, 'POST', '', 201, { body: { ...registration, config } });
    const uuid = uuidOf(body.id);
    expect(body).toEqual({
      id: `svc:///apps/${app.appUuid}/webhooks/${uuid}`,
      url: `${app.baseUrl}/apps/${app.appUuid}/webhooks/${uuid}`,
      version: '3.0',
      target_url: registration.target_url,
      events: registration.events,
      status: 'unverified',
      status_reason: null,
      config,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const inactive = await untilStatus(app, uuid, 'inactive');
    expect(inactive.status_reason).toMatch(/^verification failed: /);
    const { body: list } = await webhooksCall(app, 'GET', '', 200);
    expect(list).toContainEqual(inactive);
    const { body: changed } = await webhooksCall(app, 'PATCH', `/${uuid}`, 200, { body: { config: null } });
    expect(changed).toEqual({ ...inactive, config: null });
    await webhooksCall(app, 'DELETE', `/${uuid}`, 204);
    await webhooksCall(app, 'GET', `/${uuid}`, 404);
  });

  test('goes through the states of a registration', async () => {
    const { uuid, receiver } = await subscribe(app, ['Message.created']);
    const { body: off } = await webhooksCall(app, 'POST', `/${uuid}/deactivate`, 200);
    expect(off.status).toBe('inactive');
    const { body: on } = await webhooksCall(app, 'POST', `/${uuid}/activate`, 200);
    expect(on.status).toBe('unverified');
    await untilStatus(app, uuid, 'active');
    expect(receiver.verifications).toHaveLength(2);
    await webhooksCall(app, 'DELETE', `/${uuid}`, 204);
    for (const action of ['activate', 'deactivate', 'rotate_secret']) {
      await webhooksCall(app, 'POST', `/${uuid}/${action}`, 404);
    }
    await receiver.stop();
  });

  test('belongs to the app of the token', async () => {
    const { uuid, receiver } = await subscribe(app, ['Message.created']);
    const other = await createApp(await platform());
    await webhooksCall(other, 'GET', `/${uuid}`, 404);
    await webhooksCall(other, 'DELETE', `/${uuid}`, 404);
    await webhooksCall(app, 'GET', `/${randomUUID()}`, 404);
    await receiver.stop();
  });
});

describe('a target', () => {
  const refused = [
    'http://10.0.0.1/',
    'https://192.168.1.1/',
    'http://169.254.169.254/',
    'https://[fd00::1]/',
  ];
  test.each(refused)('at %s is never called', async (target_url) => {
    const { body } = await webhooksCall(app, 'POST', '', 201, { body: { ...registration, target_url } });
    const { status_reason } = await untilStatus(app, uuidOf(body.id), 'inactive');
    expect(status_reason).toBe('verification failed: target refused: it is not a public address');
  });

  test('that is slow or fails does not delay other targets', async () => {
    const conversation = await createConversation();
    const slow = await subscribe(app, ['Message.created']);
    slow.receiver.respond = () => undefined;
    const failing = await subscribe(app, ['Message.created']);
    failing.receiver.respond = (_, response) => response.writeHead(500).end();
    const quick = await subscribe(app, ['Message.created']);
    for (let batch = 0; batch < 10; batch += 1) {
      await Promise.all(Array.from({ length: 20 }, (_, index) => say(conversation, `${batch}.${index}`)));
    }
    await until('the quick target has all', () => quick.receiver.received.length === 200 || undefined, 5_000);
    const ids = new Set(quick.receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(200);
    for (const { uuid, receiver } of [slow, failing, quick]) {
      await webhooksCall(app, 'DELETE', `/${uuid}`, 204);
      await receiver.stop();
    }
  });
});

describe('a delivery', () => {
  test('is retried under the same id, and its attempts are recorded', async () => {
    const subscribed = await subscribe(app, ['Message.created']);
    const { receiver, uuid } = subscribed;
    receiver.respond = (_, response) => response.writeHead(receiver.received.length > 1 ? 204 : 503).end();
    await say(await createConversation(), 'again');
    await until('a second attempt comes', () => receiver.received[1], 20_000);
    const [first, second] = receiver.received;
    expect(second!.headers['svc-webhook-request-id']).toBe(first!.headers['svc-webhook-request-id']);
    verifySignatures(second!);
    const [delivery] = await until('it is on record', async () => {
      const { body } = await webhooksCall(app, 'GET', `/${uuid}/deliveries?status=delivered`, 200);
      return body.length > 0 ? body : undefined;
    });
    expect(delivery).toMatchObject({ status: 'delivered', attempt_count: 2, next_attempt_at: null });
    expect(delivery.event.type).toBe('Message.created');
    const { body: detail } = await webhooksCall(app, 'GET', `/${uuid}/deliveries/${delivery.id}`, 200);
    expect(detail.attempts).toMatchObject([{ response_status: 503 }, { response_status: 204 }]);
    await receiver.stop();
  });

  test('that failed for good is replayed, alone or with others of a period', async () => {
    const { receiver, uuid } = await subscribe(app, ['Message.created']);
    receiver.respond = (_, response) => response.writeHead(410).end();
    const from = new Date(Date.now() - 60_000).toISOString();
    await say(await createConversation(), 'once more');
    const { status_reason } = await untilStatus(app, uuid, 'inactive');
    expect(status_reason).toContain('410');
    receiver.respond = (_, response) => response.end();
    const { body, headers } = await webhooksCall(
      app,
      'GET',
      `/${uuid}/deliveries?status=dead&page_size=1`,
      200,
    );
    expect(headers['svc-count']).toBe('1');
    await webhooksCall(app, 'POST', `/${uuid}/activate`, 200);
    await untilStatus(app, uuid, 'active');
    await webhooksCall(app, 'POST', `/${uuid}/deliveries/${body[0].id}/replay`, 202);
    await until('it comes again', () => receiver.received[1]);
    const of = { body: { from, status: 'delivered' } };
    await until('all of that time are sent again', async () => {
      const { body: answer } = await webhooksCall(app, 'POST', `/${uuid}/deliveries/replay`, 202, of);
      return answer.count === 1 || undefined;
    });
    await until('it comes a third time', () => receiver.received[2]);
    await webhooksCall(app, 'POST', `/${uuid}/deliveries/${randomUUID()}/replay`, 404);
    await receiver.stop();
  });
});

describe('secrets', () => {
  test('that were rotated sign both, and are shown once', async () => {
    const subscribed = await subscribe(app, ['Message.created']);
    const { receiver, uuid } = subscribed;
    const { body } = await webhooksCall(app, 'POST', `/${uuid}/rotate_secret`, 200);
    expect(body.secret).toMatch(/^whsec_/);
    const { body: after } = await webhooksCall(app, 'GET', `/${uuid}`, 200);
    expect({ ...after, secret: body.secret }).toEqual(body);
    await say(await createConversation(), 'signed twice');
    await waitFor(subscribed, 'it comes', () => true);
    verifySignatures(receiver.received[0]!, SECRET);
    verifySignatures(receiver.received[0]!, body.secret);
    const given = 'whsec_dGhlIG5ldyBzZWNyZXQgdGhhdCBJIG1hZGU=';
    const { body: second } = await webhooksCall(app, 'POST', `/${uuid}/rotate_secret`, 200, {
      body: { secret: given },
    });
    expect(second.secret).toBe(given);
    await receiver.stop();
  });
});
