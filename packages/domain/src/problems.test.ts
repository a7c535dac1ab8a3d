import { Code, ConnectError } from '@connectrpc/connect';
import { ProblemSchema } from '@parley/proto/parley/problem/v1/problem_pb';
import { create } from '@bufbuild/protobuf';
import {
  errorOf,
  fail,
  failNotFound,
  failWith,
  notFound,
  objectKinds,
  problem,
  problemOf,
  problems,
  retryHeaders,
  toHttp,
  tooManyAtOnce,
  type PlainProblemId,
} from './problems.ts';
import { conversationId, wire } from './testing/samples.ts';

const docs = { url: 'https://chat.example/docs/errors', wire };

function caught(call: () => never): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

test('the table has the codes and statuses of the protocol', () => {
  expect(Object.entries(problems).map(([id, { code, httpStatus }]) => `${httpStatus} ${id} ${code}`)).toEqual(
    [
      '503 service_unavailable 1',
      '403 invalid_app_id 2',
      '400 invalid_request_id 3',
      '401 authentication_required 4',
      '403 app_suspended 5',
      '403 user_suspended 6',
      '429 rate_limit_exceeded 7',
      '408 request_timeout 8',
      '422 invalid_operation 9',
      '400 invalid_request 10',
      '413 request_entity_too_large 11',
      '500 internal_server_error 100',
      '403 access_denied 101',
      '404 not_found 102',
      '410 object_deleted 103',
      '422 missing_property 104',
      '422 invalid_property 105',
      '404 invalid_endpoint 106',
      '406 invalid_header 107',
      '409 conflict 108',
      '405 method_not_allowed 109',
      '422 participant_blocked 110',
      '409 id_in_use 111',
      '403 quota_exceeded 113',
      '403 permission_denied 999',
    ],
  );
});

test('a failure carries its problem to the answer', () => {
  const error = caught(() => fail('invalid_property', { property: 'parts.0.body', data: { reason: 'x' } }));
  expect(error).toBeInstanceOf(ConnectError);
  expect(problemOf(error)?.id).toBe('invalid_property');
  expect(toHttp(error, docs)).toEqual({
    status: 422,
    body: {
      id: 'invalid_property',
      code: 105,
      message: 'The property `parts.0.body` is not valid.',
      url: `${docs.url}#invalid_property`,
      data: { property: 'parts.0.body', reason: 'x' },
    },
  });
});

test('a problem by itself, as of an item of a batch, is answered alike', () => {
  const missing = problem('conflict', { message: 'There is such a user.' });
  expect(toHttp(missing, docs)).toEqual(
    toHttp(
      caught(() => failWith(missing)),
      docs,
    ),
  );
  expect(toHttp(missing, docs).body).toMatchObject({ message: 'There is such a user.', data: null });
});

test.each([
  [Code.Unavailable, 503, 'service_unavailable'],
  [Code.ResourceExhausted, 503, 'service_unavailable'],
  [Code.DeadlineExceeded, 503, 'service_unavailable'],
  [Code.Aborted, 503, 'service_unavailable'],
  [Code.Unimplemented, 503, 'service_unavailable'],
  [Code.InvalidArgument, 400, 'invalid_request'],
  [Code.Canceled, 499, 'request_timeout'],
  [Code.Internal, 500, 'internal_server_error'],
  [Code.Unauthenticated, 500, 'internal_server_error'],
  [Code.NotFound, 500, 'internal_server_error'],
])('gRPC code %i without a problem is %i %s', (code, status, id) => {
  const answer = toHttp(new ConnectError('postgres on 10.0.0.1 said so', code), docs);
  expect([answer.status, answer.body.id]).toEqual([status, id]);
  expect(answer.body.message).toBe(problems[answer.body.id as keyof typeof problems].message);
  expect(answer.retryAfter).toBe(status === 503 ? 1 : undefined);
});

test.each([
  new TypeError('secret'),
  undefined,
  null,
  'text',
  create(ProblemSchema, { id: 'of_tomorrow', message: 'x' }),
])('anything else, like %p, is a 500 without detail', (error) => {
  const { status, body } = toHttp(error, docs);
  expect({ status, ...body }).toEqual({
    status: 500,
    id: 'internal_server_error',
    code: 100,
    message: 'Something went wrong.',
    url: `${docs.url}#internal_server_error`,
    data: null,
  });
});

test('says when to try again, in whole seconds of at least one', () => {
  const slow = problem('rate_limit_exceeded', { retryAfterSeconds: 0.2 });
  expect(toHttp(slow, docs)).toMatchObject({
    status: 429,
    retryAfter: 1,
    body: { data: { retry_after_seconds: 0.2 } },
  });
  expect(toHttp(problem('rate_limit_exceeded'), docs).retryAfter).toBe(1);
  expect(toHttp(problem('conflict'), docs)).not.toHaveProperty('retryAfter');
});

test('the headers of a refusal say when to try again, and which limit refused', () => {
  expect(retryHeaders(toHttp(tooManyAtOnce(), docs))).toEqual({
    'retry-after': '1',
    ratelimit: '"concurrency";r=0;t=1',
  });
  expect(retryHeaders(toHttp(problem('service_unavailable'), docs))).toEqual({ 'retry-after': '1' });
  expect(retryHeaders(toHttp(problem('conflict'), docs))).toBeUndefined();
});

function dataOf(missing: ReturnType<typeof notFound>) {
  return toHttp(missing, docs).body.data;
}

describe('a not_found', () => {
  test('names the kind and the id of what is missing', () => {
    const error = caught(() => failNotFound('conversation', conversationId));
    expect(toHttp(error, docs)).toEqual({
      status: 404,
      body: {
        id: 'not_found',
        code: 102,
        message: 'There is no such conversation.',
        url: `${docs.url}#not_found`,
        data: { kind: 'conversation', id: `svc:///conversations/${conversationId}` },
      },
    });
  });

  test.each([
    ['identity', 'a b', 'svc:///identities/a%20b'],
    ['follow', 'eve', 'svc:///identities/eve'],
    ['scheduled_message', conversationId.toUpperCase(), `svc:///messages/${conversationId}`],
    ['webhook', conversationId, conversationId],
    ['part', conversationId, conversationId],
    ['session', null, null],
  ] as const)('shows the id of a %s, %j, as %j', (kind, id, shown) => {
    expect(dataOf(notFound(kind, id))).toEqual({ kind, id: shown });
  });

  test.each(['undefined', 'svc:///messages/1', '', '\u0000', '../..', '%'])(
    'shows %j, which is no id, as it was sent',
    (id) => {
      expect(dataOf(notFound('conversation', id))).toEqual({ kind: 'conversation', id });
    },
  );

  test('does not repeat texts of any length, nor halves of characters', () => {
    expect(dataOf(notFound('message', 'x'.repeat(1_000_000)))).toMatchObject({ id: 'x'.repeat(512) });
    expect(dataOf(notFound('message', `${'x'.repeat(511)}😀`))).toMatchObject({
      id: `${'x'.repeat(511)}\ufffd`,
    });
    expect(dataOf(notFound('identity', '\ud800'))).toMatchObject({
      id: expect.stringContaining('%') as string,
    });
  });

  test('names the property of the body that holds the id', () => {
    expect(dataOf(notFound('identity', 'eve', { property: 'sender_id' }))).toEqual({
      kind: 'identity',
      id: 'svc:///identities/eve',
      property: 'sender_id',
    });
  });

  test('of an earlier release, without an object, is shown', () => {
    expect(dataOf(create(ProblemSchema, { id: 'not_found', message: 'x' }))).toBeNull();
  });

  test.each(Object.entries(objectKinds))(
    'says of a %s in a sentence that it is missing',
    (_, { message }) => {
      expect(message).toMatch(/^[A-Z].*\.$/);
    },
  );
});

test.each(Object.keys(problems).filter((id) => id !== 'not_found') as PlainProblemId[])(
  '%s has a stack only if it is an internal error',
  (id) => {
    const error = caught(() => fail(id)) as ConnectError;
    expect(error instanceof ConnectError && error instanceof Error).toBe(true);
    expect(error.stack?.includes('\n    at ')).toBe(id === 'internal_server_error');
  },
);

test('an expected error looks as one of the library with the same problem', () => {
  const shown = problem('invalid_property', { property: 'parts' });
  const expected = errorOf(shown);
  const ofLibrary = new ConnectError(shown.message, Code.InvalidArgument, undefined, [
    { desc: ProblemSchema, value: shown },
  ]);
  for (const key of ['name', 'message', 'rawMessage', 'code', 'details', 'cause'] as const)
    expect(expected[key]).toEqual(ofLibrary[key]);
  expect([...expected.metadata]).toEqual([]);
  expect(String(expected)).toBe(String(ofLibrary));
  expect(ConnectError.from(expected)).toBe(expected);
});
