import { userOfToken } from '../../../client/src/connection/session.ts';
import type { ChatSettings } from './chat-settings.ts';
import { ChatProblem } from './problem.ts';

const WITHIN_MS = 20_000;

/**
 * Asks the platform for a nonce.
 *
 * @throws ChatProblem if no platform answers, or none that this page may use.
 */
export async function askNonce({ platform, application }: ChatSettings): Promise<string> {
  const wire = application.slice(0, application.indexOf(':'));
  const accept = `application/vnd.${wire}+json; version=3.0`;
  const answer = await ask(`${platform}/nonces`, { method: 'POST', headers: { accept } });
  const { nonce } = await recordOf(answer);
  if (typeof nonce === 'string') return nonce;
  if (answer === undefined && (await isPlatform(platform)))
    throw new ChatProblem('originNotAllowed', { origin: location.origin });
  throw new ChatProblem('wrongPlatform', { url: platform });
}

/** Whether a platform is there: its list of files is for all pages, also where its other answers are not for this one. */
async function isPlatform(platform: string): Promise<boolean> {
  return Array.isArray((await recordOf(await ask(`${platform}/library/`, {})))['files']);
}

/**
 * Has the application's backend sign a nonce for the user who is logged in there.
 *
 * @param hadSession Whether the user had a session in this page before.
 * @returns The identity token.
 * @throws ChatProblem if the user is not logged in, or the backend answers something else.
 */
export async function askToken(
  { tokenEndpoint: url }: ChatSettings,
  { nonce, hadSession }: { nonce: string; hadSession: boolean },
): Promise<string> {
  const answer = await ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nonce }),
    credentials: 'include',
  });
  if (!answer) throw new ChatProblem('tokenFailed', { url, reason: 'no answer' });
  const { status } = answer;
  if (status === 401 || status === 403) throw new ChatProblem(hadSession ? 'sessionExpired' : 'tokenRefused');
  const { identity_token: token } = await recordOf(answer);
  if (answer.ok && typeof token === 'string' && isToken(token)) return token;
  throw new ChatProblem('tokenFailed', { url, reason: answer.ok ? 'no identity_token' : `HTTP ${status}` });
}

function isToken(text: string): boolean {
  try {
    return userOfToken(text) !== '';
  } catch {
    return false;
  }
}

/** Sends a request; undefined if no answer comes that this page may read. */
function ask(url: string, init: RequestInit): Promise<Response | undefined> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(WITHIN_MS) }).catch(() => undefined);
}

/** The properties of an answer in JSON; none of any other answer. */
async function recordOf(answer: Response | undefined): Promise<Record<string, unknown>> {
  const body: unknown = await answer?.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
