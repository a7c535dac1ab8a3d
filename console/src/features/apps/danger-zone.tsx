import { Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { App } from '@parley/proto/parley/identity/v1/app_pb';
import type { ReactNode } from 'react';
import { ADMIN } from '../../api/admin.ts';
import { APPS, appQuery } from '../../api/queries.ts';
import { AUDIT_KEY } from '../../api/query-keys.ts';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Section } from '../../ui/page.tsx';

type Props = { app: App };

const CHANGES = [APPS.queryKey, AUDIT_KEY];

/** Actions that stop an application, or end it. */
export function DangerZone({ app }: Props) {
  return (
    <Section title="Suspend or delete">
      <Stack>
        {app.suspended ? (
          <Action
            about="The application is suspended: logins and requests are refused. Its data and tokens are kept."
            button={<Resume app={app} />}
          />
        ) : (
          <Action
            about="A suspended application keeps its data and tokens; logins and requests are refused, and sockets are closed."
            button={<Suspend app={app} />}
          />
        )}
        <Action
          about="A deleted application is gone for its callers at once. Its users, conversations and files follow. It cannot be brought back."
          button={<Delete app={app} />}
        />
      </Stack>
    </Section>
  );
}

function Action({ about, button }: { about: string; button: ReactNode }) {
  return (
    <Group justify="space-between">
      <Text size="sm" maw={560}>
        {about}
      </Text>
      {button}
    </Group>
  );
}

function Resume({ app: { appUuid, name } }: Props) {
  return (
    <ConfirmButton
      label="Resume"
      color="teal"
      title={`Resume ${name}?`}
      effect="Its users and servers may call again, with the tokens that they have."
      run={() => ADMIN.resumeApp({ appUuid })}
      done="The application was resumed."
      changes={CHANGES}
    />
  );
}

function Suspend({ app: { appUuid, name } }: Props) {
  return (
    <ConfirmButton
      label="Suspend"
      title={`Suspend ${name}?`}
      effect="Every user is disconnected at once, and all logins and requests of the application are refused until it is resumed. Nothing is deleted."
      run={() => ADMIN.suspendApp({ appUuid })}
      done="The application was suspended."
      changes={CHANGES}
    />
  );
}

function Delete({ app: { appUuid, name } }: Props) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const forget = () => {
    queries.removeQueries({ queryKey: appQuery(appUuid).queryKey });
    void queries.invalidateQueries({ queryKey: APPS.queryKey });
  };
  return (
    <ConfirmButton
      label="Delete"
      variant="filled"
      color="red"
      title={`Delete ${name}?`}
      effect="All users, conversations, messages, files, webhooks and exports of the application are deleted for good."
      typed={name}
      run={() => ADMIN.deleteApp({ appUuid })}
      done="The application was deleted."
      changes={[]}
      after={() => void navigate({ to: '/apps' }).then(forget)}
    />
  );
}
