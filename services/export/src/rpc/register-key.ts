import { parseExportKey } from '@parley/domain/parse/export';
import { paddingName } from '@parley/domain/json/export';
import type { RegisterKeyRequest } from '@parley/proto/parley/export/v1/export_service_pb';
import type { Context } from '../context.ts';
import { upsertExportKey } from '../sql/export-key.ts';

/** Registers the key of later archives; existing ones are unchanged. Problems: invalid_property. */
export async function registerKey({ db, clock }: Context, { appId, publicKey, padding }: RegisterKeyRequest) {
  const key = parseExportKey({ public_key: publicKey, padding: paddingName(padding) });
  await upsertExportKey(db, { appId, publicKey: key.publicKey, padding: key.padding, at: clock.now() });
  return {};
}
