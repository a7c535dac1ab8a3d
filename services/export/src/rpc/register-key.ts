import { parseExportKey } from '@parley/domain/parse/export';
import { paddingName } from '@parley/domain/json/export';
import type { RegisterKeyRequest } from '@parley/proto/parley/export/v1/export_service_pb';
import type { Context } from '../context.ts';
import { upsertExportKey } from '../sql/export-key.ts';

/** Archives that are there stay as they are. */
export async function registerKey({ db, clock }: Context, { appId, publicKey, padding }: RegisterKeyRequest) {
  const key = parseExportKey({ public_key: publicKey, padding: paddingName(padding) });
  await upsertExportKey(db, {
    app_id: appId,
    public_key: key.publicKey,
    padding: key.padding,
    at: clock.now(),
  });
  return {};
}
