import { failNotFound } from '@parley/domain/problems';
import type { GetKeyRequest } from '@parley/proto/parley/export/v1/export_service_pb';
import type { Context } from '../context.ts';
import { findExportKey } from '../sql/export-key.ts';

/** Problems: not_found. */
export async function getKey({ db }: Context, { appId }: GetKeyRequest) {
  const key = await findExportKey(db, appId);
  if (!key) return failNotFound('export_key', null);
  return { publicKey: key.public_key, padding: key.padding };
}
