import { PAGE } from './page.ts';

/** Vouches for the user. A real backend would look at the user's own login. */
export async function identityToken(user: string, nonce: string): Promise<string> {
  const answer = await ask('/demo/login', { user, nonce });
  return ((await answer.json()) as { identity_token: string }).identity_token;
}

/** Makes sure that a user exists whom others want to write to. */
export async function addUser(user: string): Promise<void> {
  await ask('/demo/users', { user });
}

/** Gives two users people to write with; for the first visit. */
export async function welcome(user: string, other: string): Promise<void> {
  await ask('/demo/welcome', { user, other });
}

/** Has the backend send the text as a message of the user in five seconds. */
export async function schedule(user: string, conversation: string, text: string): Promise<void> {
  await ask('/demo/schedule', { user, conversation, text });
}

/** Has the backend announce the text to all users. */
export async function announce(user: string, text: string): Promise<void> {
  await ask('/demo/announce', { user, text });
}

/** Ends a process of the platform on this laptop; it is started again at once. */
export async function kill(process: 'gateway' | 'messaging'): Promise<void> {
  await ask('/demo/kill', { process });
}

async function ask(action: `/demo/${string}`, body: Record<string, string>): Promise<Response> {
  const answer = await fetch(action, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-page-token': PAGE.token },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(((await answer.json()) as { message: string }).message);
  return answer;
}
