import { useQuery } from '@tanstack/react-query';
import type { AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Empty, Loaded, Page } from '../../ui/page.tsx';
import { Archives } from './archives.tsx';
import { ExportKeySection } from './export-key.tsx';
import { ExportScheduleSection } from './export-schedule.tsx';
import { exportKeyQuery, exportsQuery } from './queries.ts';

export function ExportsPage() {
  const app = useApp();
  const mayWrite = useMay('owner', app.appUuid);
  const key = useQuery(exportKeyQuery(app));
  return (
    <Page
      title="Exports"
      about="Archives of the application's data, encrypted with a key of yours: everything on request, or the events of each day."
      actions={mayWrite && key.data && <RequestExport app={app} />}
    >
      <Loaded query={key} what="the key">
        {(known) => <ExportKeySection app={app} known={known} mayWrite={mayWrite} />}
      </Loaded>
      {mayWrite ? (
        <Archives app={app} hasKey={Boolean(key.data)} />
      ) : (
        <Empty icon="exports" title="Archives are for owners">
          An owner of the application requests, downloads and deletes them, since every message leaves by
          them.
        </Empty>
      )}
      {key.data && <ExportScheduleSection app={app} mayWrite={mayWrite} />}
    </Page>
  );
}

function RequestExport({ app }: { app: AppIds }) {
  return (
    <ConfirmButton
      label="Request an export"
      size="sm"
      variant="filled"
      color="indigo"
      title="Export everything?"
      effect="The archive holds every conversation and message that is stored now. One can be requested every 24 hours."
      run={() => writeServer(app, (server) => server.requestExport())}
      done="The export was requested."
      changes={[exportsQuery(app).queryKey]}
    />
  );
}
