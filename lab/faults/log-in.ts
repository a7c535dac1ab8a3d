import type { TestUser } from '../../test/support/app.ts';
import type { Client } from './client.ts';
import type { Round } from './round.ts';

/** A new session; a nonce whose login was lost on its way is of no use any more. */
export async function logIn(
  { round, client }: { round: Round; client: Client },
  userId: string,
): Promise<TestUser> {
  for (;;) {
    const { body: fresh } = await client({
      ...{ method: 'POST', path: '/nonces', authorization: '', expected: [201] },
    });
    const options = { nonce: fresh.nonce, claims: { display_name: userId } };
    const identity_token = await round.app.identityToken(userId, options);
    const { status, body } = await client({
      ...{ method: 'POST', path: '/sessions', authorization: '', expected: [201, 422] },
      body: { identity_token, app_id: round.app.appId },
    });
    if (status === 201) return round.app.userOf(userId, body.session_token);
  }
}
