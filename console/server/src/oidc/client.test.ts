import { ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { isClientRefused } from './client.ts';

function answer(error: string, status: number): ResponseBodyError {
  return new ResponseBodyError('refused', { cause: { error }, response: new Response(null, { status }) });
}

function challenge(status: number): WWWAuthenticateChallengeError {
  const cause = [{ scheme: 'basic' as const, parameters: {} }];
  return new WWWAuthenticateChallengeError('refused', { cause, response: new Response(null, { status }) });
}

test.each<[string, unknown, boolean]>([
  ['invalid_client', answer('invalid_client', 401), true],
  ['invalid_client with the status 400', answer('invalid_client', 400), true],
  ['unauthorized_client', answer('unauthorized_client', 401), true],
  ['a challenge for a client', challenge(401), true],
  ['invalid_grant', answer('invalid_grant', 400), false],
  ['a challenge with the status 403', challenge(403), false],
  ['a failed connection', new TypeError('fetch failed'), false],
])('whether %s refuses the client', (_, error, expected) => {
  expect(isClientRefused(error)).toBe(expected);
});
