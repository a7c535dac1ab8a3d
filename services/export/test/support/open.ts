import { createDecipheriv, createHash, generateKeyPairSync, privateDecrypt, constants } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Export } from '@parley/proto/parley/export/v1/export_pb';
import { until } from '@parley/testing';
import { blobKey } from '../../src/export/blob-key.ts';
import { findExport } from '../../src/sql/export.ts';
import { runExports } from '../../src/timers/run-exports.ts';
import type { TestExports } from './service.ts';

export const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** Runs due exports until the export is complete. */
export async function untilCompleted(
  { ctx, exports }: TestExports,
  appId: string,
  id: string,
): Promise<Export> {
  return until(
    async () => {
      await runExports(ctx);
      const { export: record } = await exports.getExport({ appId, id });
      return record?.archive ? record : undefined;
    },
    { withinMs: 60_000, what: `export ${id} is completed` },
  );
}

export type EventShape = {
  event: { id: string; type: string; created_at: string };
  actor: { user_id: string; display_name: string | null } | null;
  message?: { id: string; parts?: unknown[] };
  conversation?: { id: string };
};

/** The text of the archive's export.json. */
export async function openArchive({ ctx }: TestExports, record: Export): Promise<{ events: EventShape[] }> {
  const { appId, id } = record;
  const row = await findExport(ctx.db, { appId, id });
  const key = blobKey({ appId, id, runId: row!.run_id! });
  return openBytes(await buffer(await ctx.blobs.read(key)), record) as { events: EventShape[] };
}

/** Opens the bytes of an archive, whose size and hash must be as the record says. */
export function openBytes(archive: Buffer, record: Export): unknown {
  const { encryptedAesKey, aesIv, sha256, size } = record.archive!;
  expect([archive.length, createHash('sha256').update(archive).digest()]).toEqual([
    size,
    Buffer.from(sha256),
  ]);
  const padding = constants.RSA_PKCS1_PADDING;
  const aesKey = privateDecrypt({ key: keys.privateKey, padding }, encryptedAesKey);
  const decipher = createDecipheriv('aes-256-cbc', aesKey, aesIv);
  const tar = gunzipSync(Buffer.concat([decipher.update(archive), decipher.final()]));
  const length = Number.parseInt(tar.subarray(124, 135).toString(), 8);
  return JSON.parse(tar.subarray(512, 512 + length).toString());
}
