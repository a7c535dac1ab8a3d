import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { request } from 'undici';
import type { Bench } from '../bench.ts';
import type { Figures } from '../stats.ts';

const pieceBytes = 8 * 1024 * 1024;
const mebibyte = 1024 * 1024;

/** One upload by a single PUT and one download of it; items are MiB. The note gives the service's peak memory. */
export const content = async (bench: Bench): Promise<Figures[]> => {
  const ada = await bench.app.login('ada');
  const size = Math.max(1, Math.round((1024 * mebibyte * bench.scale) / pieceBytes)) * pieceBytes;
  const headers = { 'upload-content-type': 'video/mp4', 'upload-content-length': String(size) };
  const made = await ada.call('POST', '/content', 201, { headers });
  const piece = randomBytes(pieceBytes);
  const sent = createHash('sha256');
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let written = 0; written < size; written += pieceBytes) {
      sent.update(piece);
      yield piece;
    }
  }
  const upload = await bench.measure('upload, MiB', size / mebibyte, async () => {
    const answer = await request(made.body.upload_url, {
      method: 'PUT',
      headers: { 'content-length': String(size) },
      body: Readable.from(pieces()),
      bodyTimeout: 0,
      headersTimeout: 0,
    });
    if (answer.statusCode !== 200) throw new Error(`upload: ${answer.statusCode}`);
    await answer.body.dump();
    return [];
  });
  const { body } = await ada.call('GET', new URL(made.body.refresh_url).pathname, 200);
  const received = createHash('sha256');
  const download = await bench.measure('download, MiB', size / mebibyte, async () => {
    for await (const chunk of await open(body.download_url)) received.update(chunk as Buffer);
    return [];
  });
  if (sent.digest('hex') !== received.digest('hex')) throw new Error('the download differs from the upload');
  const note = `peak memory of the service ${peakOf(bench)} MiB`;
  return [{ ...upload, note }, download];
};

const open = async (url: string): Promise<AsyncIterable<unknown>> => {
  const answer = await request(url, { method: 'GET' });
  const { location } = answer.headers;
  if (answer.statusCode !== 302 || typeof location !== 'string') return answer.body;
  await answer.body.dump();
  return (await request(new URL(location, url), { method: 'GET' })).body;
};

const peakOf = ({ running }: Bench): number => {
  const pid = running.state.processes.find(({ name }) => name === 'content')?.pid;
  const kibibytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kibibytes) / 1024);
};
