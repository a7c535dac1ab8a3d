import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { ParleyError } from '@parley/client/server';
import { ProblemSchema } from '@parley/proto/parley/problem/v1/problem_pb';
import { describeFailure, isDocumented, isNotFound, isSignedOut, RequestFailure } from './failure.ts';

const REQUEST = { 'x-request-id': 'r-1' };

test('an answer of the server API shows its error and its request', () => {
  const error = new ParleyError(
    { id: 'conflict', message: 'There is one already.' },
    { status: 409, requestId: 'r-1' },
  );
  expect(describeFailure(error)).toEqual({
    status: 409,
    errorId: 'conflict',
    message: 'There is one already.',
    requestId: 'r-1',
  });
});

test('a call of the administration API shows the problem in its details', () => {
  const problem = create(ProblemSchema, { id: 'app_name_in_use', message: 'The name is in use.' });
  const error = new ConnectError('taken', Code.AlreadyExists, REQUEST, [
    { desc: ProblemSchema, value: problem },
  ]);
  expect(describeFailure(error)).toEqual({
    status: 0,
    errorId: 'app_name_in_use',
    message: 'The name is in use.',
    requestId: 'r-1',
  });
});

test('a call without a problem shows its code', () => {
  const { status, errorId, message } = describeFailure(new ConnectError('no', Code.PermissionDenied));
  expect([status, errorId, message]).toEqual([403, 'permission_denied', 'no']);
});

test.each([
  ['of the server API', new ParleyError({ id: 'network_error' })],
  ['of the console', new TypeError('Failed to fetch')],
  ['of the administration API', new ConnectError('x', Code.Unknown, {}, [], new TypeError('Failed'))],
])('a request %s without an answer says so', (_, error) => {
  const { status, message } = describeFailure(error);
  expect([status, message]).toEqual([0, 'No answer: try again.']);
});

test('a page that was refused a session or a record knows it', () => {
  const refused = (status: number) =>
    new RequestFailure('no', { status, errorId: 'x', requestId: undefined });
  expect([401, 403, 404].map((status) => isSignedOut(refused(status)))).toEqual([true, false, false]);
  expect([401, 403, 404].map((status) => isNotFound(refused(status)))).toEqual([false, false, true]);
  expect(isNotFound(new ParleyError({ id: 'not_found' }, { status: 404 }))).toBe(true);
});

test.each([
  ['not_found', true],
  ['unreachable', false],
  ['invalid_answer', false],
  ['http_502', false],
])('the id %s leads to the documentation: %s', (errorId, does) => {
  expect(isDocumented(errorId)).toBe(does);
});
