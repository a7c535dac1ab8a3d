import { useApp } from '../../frame/app-frame.tsx';
import { useMay } from '../../api/session.ts';
import { AppState } from '../../ui/app-state.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { DangerZone } from './danger-zone.tsx';
import { SettingsForm } from './settings-form.tsx';

export function SettingsPage() {
  const app = useApp();
  const mayWrite = useMay('operator', app.appUuid);
  const isOwner = useMay('owner', app.appUuid);
  return (
    <Page
      title="Settings"
      about="What holds for this application alone. A new setting holds within a second."
    >
      <Section title="Identifiers">
        <Fields
          rows={[
            ['Application id', <CopyText key="id" text={app.id} label="Copy the application id" />],
            ['UUID', <CopyText key="uuid" text={app.appUuid} label="Copy the UUID" />],
            ['Environment', app.environment],
            ['Created', <Time key="created" at={app.createdAt} />],
            ['State', <AppState key="state" isSuspended={app.suspended} />],
          ]}
        />
      </Section>
      <SettingsForm app={app} mayWrite={mayWrite} key={app.appUuid} />
      {isOwner && <DangerZone app={app} />}
    </Page>
  );
}
