import { useApp } from '../../frame/app-frame.tsx';
import { Page } from '../../ui/page.tsx';
import { AuditTable, COLUMNS_OF_APP } from './audit-table.tsx';

export function AppAuditPage() {
  const { appUuid } = useApp();
  return (
    <Page title="Audit log" about="What administrators and the platform did to this application.">
      <AuditTable appUuid={appUuid} columns={COLUMNS_OF_APP} />
    </Page>
  );
}
