import { DOWNLOAD_PATH } from '@parley/domain/content-addresses';
import { newId } from '@parley/domain/ids';
import { startFlooder, type Flood, type Flooder } from '@parley/stack/testing';
import { UPLOAD_PATH } from '../src/upload/address.ts';
import { startContent, type Platform } from './support/platform.ts';

// What a flood of refusals costs a content process, beside one of the cheapest request that it serves.

const REQUESTS = 300;
/** Processor times of one and the same flood differ by half on a busy machine. */
const MOST = 2;
const ROUNDS = 4;

type Asked = Pick<Flood, 'request' | 'body'>;

const UPLOAD = `${UPLOAD_PATH}/${newId()}/wrong`;
const DOWNLOAD = `${DOWNLOAD_PATH}/wrong`;

const SERVED: Asked = { request: [`OPTIONS ${DOWNLOAD}`, 'Origin: http://a.test'] };
const REFUSED: Record<string, Asked> = {
  'an unknown path': { request: ['GET /nothing'] },
  'a download address that is wrong': { request: [`GET ${DOWNLOAD}`] },
  'another method of a download': { request: [`PUT ${DOWNLOAD}`, 'Content-Length: 0'] },
  'an upload address that is wrong': { request: [`HEAD ${UPLOAD}`, 'Tus-Resumable: 1.0.0'] },
  'a piece for an upload address that is wrong': {
    request: [
      `PATCH ${UPLOAD}`,
      'Tus-Resumable: 1.0.0',
      'Upload-Offset: 0',
      'Content-Type: application/offset+octet-stream',
    ],
    body: 'piece',
  },
  'another method of an upload': { request: [`DELETE ${UPLOAD}`, 'Tus-Resumable: 1.0.0'] },
};

let platform: Platform;
let flooder: Flooder;
beforeAll(async () => {
  flooder = startFlooder();
  platform = await startContent();
});
afterAll(async () => {
  flooder.stop();
  await platform.stop();
});

async function measure(asked: Asked, wanted: RegExp): Promise<number> {
  const port = platform.config.httpPort;
  const { microseconds, statuses } = await flooder.costOf({ ...asked, port, requests: REQUESTS });
  expect(Object.keys(statuses).filter((status) => !wanted.test(status))).toEqual([]);
  return microseconds;
}

test.each(Object.entries(REFUSED))(
  'a flood of requests with %s costs no more than one of the cheapest served request',
  async (_, asked) => {
    let least = Infinity;
    for (let round = 0; round < ROUNDS && least > MOST; round++)
      least = Math.min(least, (await measure(asked, /^4/)) / (await measure(SERVED, /^2/)));
    expect(least).toBeLessThanOrEqual(MOST);
  },
);
