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
  if (answer && isBusy(answer)) throw new ChatProblem('platformBusy', { url: platform }, TRANSIENT);
  if (answer) throw new ChatProblem('wrongPlatform', { url: platform });
  // A proxy before a platform that restarts gives pages no leave to read its answers either.
  if (await answers(platform))
    throw new ChatProblem('originNotAllowed', { origin: location.origin }, TRANSIENT);
  throw new ChatProblem('wrongPlatform', { url: platform }, TRANSIENT);
}

const TRANSIENT = { isTransient: true };
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;
const GATEWAY_TIMEOUT = 504;

/** Whether a server answers that it cannot answer now. */
function isBusy({ status }: Response): boolean {
  return status === TOO_MANY_REQUESTS || status >= SERVER_ERROR;
}

/** Whether a server is there, also one whose answers this page may not read. */
async function answers(platform: string): Promise<boolean> {
  return (await ask(`${platform}/ping`, { mode: 'no-cors' })) !== undefined;
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
  if (!answer) throw new ChatProblem('tokenFailed', { url, reason: 'no answer' }, TRANSIENT);
  const { status } = answer;
  if (status === 401 || status === 403) throw new ChatProblem(hadSession ? 'sessionExpired' : 'tokenRefused');
  const { identity_token: token } = await recordOf(answer);
  if (answer.ok && typeof token === 'string' && isToken(token)) return token;
  const reason = answer.ok ? 'no identity_token' : `HTTP ${status}`;
  throw new ChatProblem('tokenFailed', { url, reason }, { isTransient: isBusy(answer) });
}

function isToken(text: string): boolean {
  try {
    return userOfToken(text) !== '';
  } catch {
    return false;
  }
}

/** Sends a request; undefined if no answer comes that this page may read, and 504 if none comes in time. */
async function ask(url: string, init: RequestInit): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  return fetch(url, { ...init, signal }).catch(() =>
    signal.aborted ? new Response(null, { status: GATEWAY_TIMEOUT }) : undefined,
  );
}

/** The properties of an answer in JSON; none of any other answer. */
async function recordOf(answer: Response | undefined): Promise<Record<string, unknown>> {
  const body: unknown = await answer?.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
