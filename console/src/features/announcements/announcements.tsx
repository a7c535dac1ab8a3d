import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { Compose } from './compose.tsx';

export function AnnouncementsPage() {
  const app = useApp();
  const mayWrite = useMay('operator', app.appUuid);
  return (
    <Page
      title="Announcements"
      about="A message to many users at once, outside conversations. Each recipient gets it once, and reads or deletes it alone."
    >
      {mayWrite ? (
        <Compose key={app.appUuid} />
      ) : (
        <Empty icon="announcements" title="Your role only reads">
          An operator of the application can send announcements.
        </Empty>
      )}
    </Page>
  );
}
