import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { createApp, uuidOf, type TestApp } from '../../support/app.ts';
import {
  createExampleObjects,
  inOrder,
  type ExampleObjects,
} from '../../support/contract/example-objects.ts';
import type { Described } from '../../support/generated-client.ts';
import { call } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';

type Sample = { lang: string; source: string };
type Sampled = Described & { isOfAdministration: boolean; samples: Sample[] };

const LANGUAGES = ['shell', 'typescript'];
/** Below the package, so that the compiler finds the types of Node. */
const FOLDER = path.resolve(import.meta.dirname, '../../.parley');
const PICTURE_BYTES = 10;
const AT_ONCE = 3;
/** Samples whose request this platform refuses, with the documented status. */
const REFUSED = [
  // The platform has no cells, and the user no such device.
  ...['adminAddCells 400', 'adminMoveCell 400', 'adminSendTestPush 404'],
];

const run = promisify(execFile);
const require = createRequire(import.meta.url);
let own: OwnPlatform;
let folder: string;
let operations: Sampled[];

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  folder = mkdtempSync(path.join(FOLDER, 'samples-'));
  writeFileSync(path.join(folder, 'picture.jpeg'), Buffer.alloc(PICTURE_BYTES));
  own = await ownPlatform();
  operations = sampledOperations((await call('GET', `${own.baseUrl}/openapi.json`, 200)).body);
});

afterAll(async () => {
  await own?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function sampledOperations({ paths }: Json): Sampled[] {
  return Object.entries(paths as Json).flatMap(([address, methods]: [string, Json]) =>
    Object.entries(methods as Json)
      .filter(([method]) => !['servers', 'parameters'].includes(method))
      .map(([method, described]: [string, Json]) => ({
        ...{ id: described.operationId, method: method.toUpperCase(), path: address },
        ...{ isOfServer: false, responses: described.responses, samples: described['x-codeSamples'] },
        isOfAdministration: described.security.some((scheme: Json) => 'administration' in scheme),
      })),
  );
}

function sampleIn(language: string, { samples }: Sampled): string {
  const [source = ''] = samples.filter(({ lang }) => lang === language).map((one) => one.source);
  return source;
}

test('every operation has a sample in each language', () => {
  for (const operation of operations) expect(operation.samples.map(({ lang }) => lang)).toEqual(LANGUAGES);
});

test('the samples in TypeScript compile as strict as it gets', () => {
  for (const one of operations)
    writeFileSync(path.join(folder, `${one.id}.mts`), sampleIn('typescript', one));
  const compilerOptions = {
    ...{ target: 'es2024', module: 'nodenext', strict: true, noEmit: true, types: ['node'] },
    ...{ skipLibCheck: true, noUnusedLocals: true },
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }));
  const compiler = require.resolve('typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

describe.each(LANGUAGES)('in %s', (language) => {
  let app: TestApp;
  let objects: ExampleObjects;

  beforeAll(async () => {
    app = await createApp(own);
    objects = await createExampleObjects(app);
  });

  afterAll(async () => {
    await objects.stop();
    await deleteAutomationTokens(app);
  });

  test('every sample runs as it stands, and is answered with a documented status of success', async () => {
    const refused: string[] = [];
    const tryOne = async (operation: Sampled) => {
      const variables = operation.isOfAdministration
        ? await administrationVariables(language, operation)
        : await variablesOf(app, objects, operation);
      const { status, output } = await runSample(language, operation, variables);
      const isDocumented = String(status) in operation.responses;
      if (!isDocumented || status >= 400) refused.push(`${operation.id} ${status}: ${output}`);
    };
    for (const group of inGroups(operations)) await eachAtOnce(group, tryOne);
    const expected = REFUSED.map((one) => expect.stringMatching(`^${one}: `));
    expect(refused.sort()).toEqual(expected);
  }, 600_000);
});

/** Operations that may run beside each other: those that create come before those that delete. */
function inGroups(all: Sampled[]): Sampled[][] {
  return Object.values(Object.groupBy(inOrder(all) as Sampled[], ({ method }) => method)) as Sampled[][];
}

async function eachAtOnce(waiting: Sampled[], action: (operation: Sampled) => Promise<void>): Promise<void> {
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) await action(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function runSample(language: string, operation: Sampled, variables: Record<string, string>) {
  const source = sampleIn(language, operation);
  const file = path.join(folder, `${operation.id}.mts`);
  if (language === 'typescript') writeFileSync(file, source);
  const [command, given] =
    language === 'shell'
      ? ['sh', ['-c', source]]
      : [process.execPath, ['--disable-warning=ExperimentalWarning', file]];
  const { stdout, stderr } = await run(command as string, given as string[], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...variables },
  }).catch((error: { stdout: string; stderr: string }) => error);
  return { status: Number(/^(?:HTTP\/\S+ )?(\d{3})\b/.exec(stdout)?.[1]), output: stdout + stderr };
}

async function variablesOf(app: TestApp, objects: ExampleObjects, operation: Sampled) {
  const { token = '', ...ids } = await objects.freshIds(operation);
  const named = Object.entries(ids).map(([name, value]) => [name.toUpperCase(), encodeURIComponent(value)]);
  return {
    ...(Object.fromEntries(named) as Record<string, string>),
    SESSION_TOKEN: token,
    ACCESS_TOKEN: app.accessToken,
    APP_ID: app.appId,
    IDENTITY_TOKEN: operation.id === 'createSession' ? await app.identityToken('ada') : '',
    ...(/^\/(up|down)loads\//.test(operation.path) && (await addressesOf(app))),
  };
}

/** The addresses of a content that waits for its bytes, and of one that has them. */
async function addressesOf(app: TestApp): Promise<Record<string, string>> {
  const ada = await app.login('ada');
  const headers = { 'upload-content-type': 'image/jpeg', 'upload-content-length': String(PICTURE_BYTES) };
  const waiting = (await ada.call('POST', '/content', 201, { headers })).body;
  const complete = (await ada.call('POST', '/content', 201, { headers })).body;
  await call('PUT', complete.upload_url, 200, { raw: Buffer.alloc(PICTURE_BYTES) });
  const { body } = await ada.call('GET', `/content/${uuidOf(complete.id)}`, 200);
  return { UPLOAD_URL: waiting.upload_url, DOWNLOAD_URL: body.download_url };
}

/** Objects of an application of their own, which a sample may delete. */
async function administrationVariables(language: string, { id }: Sampled): Promise<Record<string, string>> {
  const app = await createApp(own);
  await app.login('ada');
  const conversation = { participants: ['ada'], distinct: false };
  const imported =
    id === 'adminImportMessages' &&
    (await app.server('POST', '/conversations', 201, { body: conversation })).body;
  const { access_token: token } = await app.admin('CreateAccessToken', {
    app_uuid: app.appUuid,
    name: 'other',
  });
  const automation = { name: randomUUID(), roles: [{ role: 'viewer' }] };
  const { automation_token: named } = await app.admin('CreateAutomationToken', automation);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return {
    ...{ ADMIN_TOKEN: own.adminToken, APP_UUID: app.appUuid, PROVIDER_ID: app.providerId, KEY_ID: app.keyId },
    ...{ USER_ID: 'ada', ACCESS_TOKEN_ID: token.id, AUTOMATION_TOKEN_ID: named.id },
    ...{
      CONVERSATION_ID: imported ? uuidOf(imported.id) : randomUUID(),
      MESSAGE_ID: randomUUID(),
      PART_ID: randomUUID(),
    },
    CONSOLE_SESSION_ID: await consoleSession(app),
    IDENTITY_TOKEN: await app.identityToken('ada'),
    // In a line of curl the key is within JSON.
    APNS_PRIVATE_KEY: language === 'shell' ? JSON.stringify(pem).slice(1, -1) : pem,
  };
}

/** Their names are unique on the platform, and the next language gives the same. */
async function deleteAutomationTokens(app: TestApp): Promise<void> {
  const { automation_tokens: tokens } = await app.admin('ListAutomationTokens', {});
  for (const { id } of tokens) await app.admin('DeleteAutomationToken', { automation_token_id: id });
}

/** The id of a session of the console that a sign-in code has opened. */
async function consoleSession(app: TestApp): Promise<string> {
  const { code } = await app.admin('CreateSignInCode', {});
  const headers = { 'content-type': 'application/json', origin: own.baseUrl };
  const answer = await fetch(`${own.baseUrl}/console/sign-in/code`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ code }) },
  });
  expect(answer.status).toBe(204);
  const { sessions } = await app.admin('ListOpenConsoleSessions', {});
  return sessions[0].id;
}
