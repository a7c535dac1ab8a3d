import { Failure } from './failure.ts';
import { send } from './request.ts';

/** A session of the console. */
export type ConsoleSession = {
  /** Calls a method of the administration API. */
  call(method: string, body: object): Promise<Record<string, unknown>>;
  /** Ends the session. */
  end(): Promise<void>;
};

const SERVICE = 'parley.identity.v1.AdminService';
const NEW_CODE =
  '`npm run parley -- admin create-sign-in-code` in the folder of the platform makes another one.';

/** The code of a link that `npm start` prints, or the text itself. */
export function codeIn(text: string): string {
  return /#code=([^\s)]+)/.exec(text)?.[1] ?? text.trim();
}

/** The origin of a link to the console, which alone takes its code; undefined for a code without a link. */
export function originOfLink(text: string): string | undefined {
  const link = text.split(/\s/).find((word) => word.includes('#code='));
  return link !== undefined && URL.canParse(link) ? new URL(link).origin : undefined;
}

/**
 * Signs in to the console as its page does, with a code that opens it once. Only a platform on this machine takes codes. Fails with a
 * Failure if it does not take this one.
 */
export async function signIn(origin: string, code: string): Promise<ConsoleSession> {
  const answer = await send(`${origin}/console/sign-in/code`, {
    headers: { origin },
    body: { code: codeIn(code) },
  }).catch((error: unknown) => {
    throw new Failure(`The sign-in code was not taken. ${(error as Error).message}\n${NEW_CODE}`, {
      cause: error,
    });
  });
  const cookie = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  if (cookie.length === 0) throw new Failure(`${origin} did not answer as the console of a platform does.`);
  const headers = { origin, cookie: cookie.join('; ') };
  return {
    async call(method, body) {
      const response = await send(`${origin}/admin/rpc/${SERVICE}/${method}`, { headers, body });
      return (await response.json()) as Record<string, unknown>;
    },
    end: async () => void (await send(`${origin}/console/sign-out`, { headers })),
  };
}
