import { Page } from '../../ui/page.tsx';
import { AuditTable, COLUMNS_OF_ALL } from './audit-table.tsx';

export function AuditPage() {
  return (
    <Page
      title="Audit log"
      about="What people, their programs and the platform did, in all applications, and what was refused."
    >
      <AuditTable appUuid="" columns={COLUMNS_OF_ALL} />
    </Page>
  );
}
