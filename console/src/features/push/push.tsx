import { Button, Group } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useDisclosure } from '@mantine/hooks';
import type { PushCredentials } from '@parley/proto/parley/push/v1/push_admin_service_pb';
import { PUSH_ADMIN } from '../../api/push-admin.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Empty, Loaded, Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { SetCredentials } from './push-credentials.tsx';
import { TestPush } from './test-push.tsx';

export function credentialsQuery(appUuid: string) {
  return queryOptions({
    queryKey: ['push-credentials', appUuid],
    queryFn: async () => (await PUSH_ADMIN.getPushCredentials({ appUuid })).credentials,
  });
}

const PROVIDERS = [
  ['fcm', 'Firebase Cloud Messaging', 'Android, and what Firebase reaches.'],
  ['apns', 'Apple Push Notification service', 'iPhone, iPad and Mac.'],
] as const;
export type PushProvider = (typeof PROVIDERS)[number][0];

export function PushPage() {
  const { appUuid } = useApp();
  const query = useQuery(credentialsQuery(appUuid));
  const isOwner = useMay('owner', appUuid);
  const mayTest = useMay('operator', appUuid);
  return (
    <Page
      title="Push"
      about="With credentials, Parley sends pushes to phones itself. Browsers need none. Without credentials, pushes to phones are left to a connector of yours."
    >
      <Loaded query={query} what="the credentials">
        {(all) => (
          <>
            {PROVIDERS.map(([provider, title, about]) => (
              <Credentials
                key={provider}
                {...{ provider, title, about, appUuid, isOwner }}
                known={all.find((one) => one.provider === provider)}
              />
            ))}
          </>
        )}
      </Loaded>
      {mayTest && <TestPush appUuid={appUuid} />}
    </Page>
  );
}

type Props = {
  provider: PushProvider;
  title: string;
  about: string;
  appUuid: string;
  isOwner: boolean;
  known: PushCredentials | undefined;
};

function Credentials({ provider, title, about, appUuid, isOwner, known }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Section
      title={title}
      about={about}
      actions={
        isOwner && (
          <Group gap="xs">
            <Button size="xs" variant={known ? 'default' : 'filled'} onClick={open}>
              {known ? 'Replace' : 'Set credentials'}
            </Button>
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
        )
      }
    >
      {known ? (
        <Fields rows={fieldsOf(known)} />
      ) : (
        <Empty icon="push" title="There are no credentials">
          {isOwner
            ? 'Set them to send pushes to these devices.'
            : 'An owner of the application can set them.'}
        </Empty>
      )}
      <SetCredentials provider={provider} appUuid={appUuid} isOpen={isOpen} close={close} />
    </Section>
  );
}

function fieldsOf({ provider, projectId, clientEmail, keyId, teamId, topic, updatedAt }: PushCredentials) {
  const updated = ['Set', <Time key="updated" at={updatedAt} />] as const;
  return provider === 'fcm'
    ? ([['Project', projectId], ['Service account', clientEmail], updated] as const)
    : ([['Key id', keyId], ['Team id', teamId], ['Bundle id', topic], updated] as const);
}
