import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOfTarball, originOf } from './address.ts';
import { checkId, makeApplication, readApplication, type Application } from './application.ts';
import { originOfLink } from './console.ts';
import { Failure } from './failure.ts';
import { logInFirst } from './first-logins.ts';
import { makeFolder, packageNameOf, writeApplication } from './folder.ts';
import { readOptions, USAGE, type Options } from './options.ts';
import { requirePresentRelease } from './present-release.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const PACKAGE_FOLDER = path.dirname(fileURLToPath(import.meta.url));

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(`${USAGE}\n`);
  const terminal = openTerminal();
  try {
    const folder = options.folder ?? (await terminal.ask('Folder', 'my-chat'));
    const given = options.url ?? originOfLink(options.code ?? '');
    const asked = () => terminal.ask('Address of the platform', addressOfTarball(PACKAGE_FOLDER));
    const origin = originOf(given ?? (await asked()));
    await requirePresentRelease(origin, PACKAGE_FOLDER);
    makeFolder(folder);
    const { application, isNew } = await chooseApplication(origin, { folder, options, terminal });
    // The key of a new application is nowhere else; other ids may be wrong, and then nothing is written.
    if (!isNew) await logInFirst(origin, application);
    writeApplication(folder, { packageFolder: PACKAGE_FOLDER, origin, application });
    if (isNew) await logInFirst(origin, application);
    process.stdout.write(farewell(folder, application));
  } finally {
    terminal.close();
  }
}

type Choosing = { folder: string; options: Options; terminal: Terminal };

async function chooseApplication(
  origin: string,
  { folder, options, terminal }: Choosing,
): Promise<{ application: Application; isNew: boolean }> {
  const isNew = options.code !== undefined && options.app === undefined;
  const app = isNew ? '' : (options.app ?? (await terminal.ask('Id of your application (empty: make one)')));
  if (app === '') {
    const question = 'Link to the console, or the code in it, as `npm start` of the platform printed it';
    const code = options.code ?? (await terminal.ask(question));
    const application = await makeApplication(origin, { code, name: packageNameOf(folder) });
    return { application, isNew: true };
  }
  checkId('app', app);
  const application = readApplication({
    app,
    provider: options.provider ?? (await terminal.ask('Id of its provider')),
    key: options.key ?? (await terminal.ask('Id of its key')),
    privateKeyFile: options.privateKey ?? (await terminal.ask('File of the private key')),
  });
  return { application, isNew: false };
}

function farewell(folder: string, { appId }: Application): string {
  return `
${folder} is a chat of Ada and Grace, of the application ${appId}.

  cd ${folder.includes(' ') ? JSON.stringify(folder) : folder}
  npm install
  npm run dev

`;
}

main().catch((error: unknown) => {
  const isExpected = error instanceof Failure;
  process.stderr.write(`${isExpected ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
});
