import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PushCredentials } from '@parley/proto/parley/push/v1/push_admin_service_pb';
import { PUSH_ADMIN } from '../../api/push-admin.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { Fields } from '../../ui/fields.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Empty, Loaded, Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { SetCredentials } from './push-credentials.tsx';
import { credentialsQuery, type PushProvider } from './queries.ts';
import { TestPush } from './test-push.tsx';

type Described = { provider: PushProvider; title: string; about: string };

const PROVIDERS: readonly Described[] = [
  {
    provider: 'fcm',
    title: 'Firebase Cloud Messaging',
    about: 'Android, and what Firebase reaches.',
  },
  {
    provider: 'apns',
    title: 'Apple Push Notification service',
    about: 'iPhone, iPad and Mac.',
  },
];

export function PushPage() {
  const { appUuid } = useApp();
  const query = useQuery(credentialsQuery(appUuid));
  const mayTest = useMay('operator', appUuid);
  return (
    <Page
      title="Push"
      about="With credentials, Parley sends pushes to phones itself. Browsers need none. Without credentials, pushes to phones are left to a connector of yours."
    >
      <Loaded query={query} what="the credentials">
        {(all) => (
          <>
            {PROVIDERS.map((described) => (
              <Credentials
                key={described.provider}
                {...described}
                appUuid={appUuid}
                known={all.find(({ provider }) => provider === described.provider)}
              />
            ))}
          </>
        )}
      </Loaded>
      {mayTest && <TestPush appUuid={appUuid} />}
    </Page>
  );
}

type Props = { appUuid: string; provider: PushProvider; known: PushCredentials | undefined };

function Credentials({ title, about, ...of }: Props & Described) {
  const isOwner = useMay('owner', of.appUuid);
  return (
    <Section title={title} about={about} actions={isOwner && <CredentialsActions {...of} />}>
      {of.known ? (
        <Fields rows={fieldsOf(of.known)} />
      ) : (
        <Empty icon="push" title="There are no credentials">
          {isOwner
            ? 'Set them to send pushes to these devices.'
            : 'An owner of the application can set them.'}
        </Empty>
      )}
    </Section>
  );
}

function CredentialsActions({ appUuid, provider, known }: Props) {
  return (
    <Group gap="xs">
      <SetCredentials appUuid={appUuid} provider={provider} isReplaced={known !== undefined} />
      {known && (
        <ConfirmButton
          label="Delete"
          title="Delete the credentials?"
          effect="Pushes to these devices are left to a connector again, within five seconds."
          run={() => PUSH_ADMIN.deletePushCredentials({ appUuid, provider })}
          done="The credentials were deleted."
          changes={[credentialsQuery(appUuid).queryKey]}
        />
      )}
    </Group>
  );
}

function fieldsOf({ provider, projectId, clientEmail, keyId, teamId, topic, updatedAt }: PushCredentials) {
  const updated = ['Set', <Time key="updated" at={updatedAt} />] as const;
  return provider === 'fcm'
    ? ([['Project', projectId], ['Service account', clientEmail], updated] as const)
    : ([['Key id', keyId], ['Team id', teamId], ['Bundle id', topic], updated] as const);
}
