import { readFileSync } from 'node:fs';
import { originOfLink, signIn, type ConsoleSession } from './console.ts';
import { Failure } from './failure.ts';

/** An application of a platform, and the key with which its login backend signs. `privateKey`: PEM, PKCS #8. */
export type Application = { appId: string; providerId: string; keyId: string; privateKey: string };

export type ExistingApplication = { app: string; provider: string; key: string; privateKeyFile: string };

/** Exit code of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

const IDS = {
  app: /^[a-z][\w.+-]*:\/\/\/apps\/[^/\s"'`$\\]+\/[\w-]+$/i,
  provider: /^[a-z][\w.+-]*:\/\/\/providers\/[\w-]+$/i,
  key: /^[a-z][\w.+-]*:\/\/\/keys\/[\w-]+$/i,
};

/** Checks an id of an application as it was typed. Fails with a Failure for a text that is no such id. */
export function checkId(kind: keyof typeof IDS, text: string): string {
  if (IDS[kind].test(text)) return text;
  const path = kind === 'app' ? 'apps/development' : `${kind}s`;
  throw new Failure(
    `${text} is not the id of ${kind === 'app' ? 'an app' : `a ${kind}`}, such as svc:///${path}/0199….`,
  );
}

export function readApplication({ app, provider, key, privateKeyFile }: ExistingApplication): Application {
  let privateKey: string;
  try {
    privateKey = readFileSync(privateKeyFile, 'utf8').trim();
  } catch (error) {
    throw new Failure(`The private key cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (!privateKey.includes('BEGIN PRIVATE KEY'))
    throw new Failure(`${privateKeyFile} is not a private key in PEM (PKCS #8).`);
  const [appId, providerId, keyId] = [
    checkId('app', app),
    checkId('provider', provider),
    checkId('key', key),
  ];
  return { appId, providerId, keyId, privateKey };
}

/**
 * Makes an application with a provider and a key, in a session of the console that ends before this returns or fails, also by Ctrl-C.
 */
export async function makeApplication(
  origin: string,
  { code, name }: { code: string; name: string },
): Promise<Application> {
  // From here on the platform may have opened it, also before it has answered.
  const opening = signIn(originOfLink(code) ?? origin, code);
  const interrupted = (): void =>
    void opening.then(end, () => undefined).finally(() => process.exit(INTERRUPTED));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    const session = await opening;
    try {
      return await make(session, name);
    } finally {
      await end(session);
    }
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  }
}

async function make(session: ConsoleSession, name: string): Promise<Application> {
  const { app } = (await session.call('CreateApp', { name, environment: 'development' })) as NewApp;
  const made = await session.call('CreateProvider', { app_uuid: app.app_uuid, name: 'Login backend' });
  const { id: providerId } = (made as NewProvider).provider;
  const created = await session.call('CreateKey', { provider_id: providerId });
  const { key, private_key: privateKey } = created as NewKey;
  return { appId: app.id, providerId, keyId: key.id, privateKey: privateKey.trim() };
}

type NewApp = { app: { id: string; app_uuid: string } };
type NewProvider = { provider: { id: string } };
type NewKey = { key: { id: string }; private_key: string };

/** Ends the session, or tells the person that it could not be ended. */
async function end(session: ConsoleSession): Promise<void> {
  try {
    await session.end();
  } catch (error) {
    process.stderr.write(
      `The session of the sign-in code could not be ended: ${(error as Error).message}\nEnd it in the console, under "Your account".\n`,
    );
  }
}
