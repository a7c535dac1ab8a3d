import { useNavigate, useSearch } from '@tanstack/react-router';
import { useApp } from '../frame/app-frame.tsx';
import { Page } from '../ui/page.tsx';
import { AuditTable, COLUMNS_OF_APP } from './audit.tsx';

export function AppAuditPage() {
  const { appUuid } = useApp();
  const { q = '' } = useSearch({ from: '/apps/$app/audit' });
  const navigate = useNavigate({ from: '/apps/$app/audit' });
  const filter = (text: string) => void navigate({ search: { q: text || undefined }, replace: true });
  return (
    <Page title="Audit log" about="What administrators and the platform did to this application.">
      <AuditTable appUuid={appUuid} columns={COLUMNS_OF_APP} text={q} filter={filter} />
    </Page>
  );
}
