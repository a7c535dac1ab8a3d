import { queryOptions } from '@tanstack/react-query';
import type { ExportKey } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { isNotFound } from '../../api/failure.ts';
import { readServer } from '../../api/server.ts';
import { serverKey, serverQuery } from '../../api/server-queries.ts';

/** The public key that exports are encrypted with; null before one is registered. */
export function exportKeyQuery(app: AppIds) {
  return queryOptions({
    queryKey: serverKey(app, 'export-key'),
    queryFn: async (): Promise<ExportKey | null> => {
      try {
        return await readServer(app, (server) => server.getExportKey());
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
  });
}

export function exportsQuery(app: AppIds) {
  return serverQuery(app, ['exports'], (server) => server.listExports());
}

/** An export with the address of its archive. */
export function exportQuery(app: AppIds, id: string) {
  return serverQuery(app, ['export', id], (server) => server.getExport(id));
}

export function scheduleQuery(app: AppIds) {
  return serverQuery(app, ['export-schedule'], (server) => server.getExportSchedule());
}
