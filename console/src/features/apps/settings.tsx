import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { Button, Checkbox, Group, NumberInput, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { App } from '@parley/proto/parley/identity/v1/app_pb';
import { useState, type FormEvent } from 'react';
import { ADMIN } from '../../api/admin.ts';
import { APPS, appQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { QUERIES } from '../../api/query-client.ts';
import { useAction } from '../../ui/use-action.ts';
import { AppState } from '../../ui/app-state.tsx';

const MAX_ORIGINS = 100;

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

function SettingsForm({ app, mayWrite }: { app: App; mayWrite: boolean }) {
  const [name, setName] = useState(app.name);
  const [sessionTtlInSeconds, setSessionTtl] = useState<number | string>(app.sessionTtlInSeconds);
  const [inlineBodyBytes, setInlineBody] = useState<number | string>(app.inlineBodyBytes);
  const [origins, setOrigins] = useState(app.allowedOrigins);
  const [publicFields, setPublicFields] = useState(app.publicIdentityFields);
  const save = useAction({
    run: () =>
      ADMIN.updateApp({
        appUuid: app.appUuid,
        name,
        sessionTtlInSeconds: Number(sessionTtlInSeconds),
        inlineBodyBytes: Number(inlineBodyBytes),
        allowedOrigins: { origins },
        publicIdentityFields: { names: publicFields },
      }),
    done: 'The settings were saved.',
    changes: [APPS.queryKey],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Section title="General">
      <form onSubmit={submit}>
        <fieldset disabled={!mayWrite} className="plain-fieldset">
          <Stack maw={560}>
            <TextInput
              label="Name"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              required
            />
            <Limits {...{ sessionTtlInSeconds, setSessionTtl, inlineBodyBytes, setInlineBody }} />
            <TagsInput
              label="Allowed origins"
              description="Pages of these origins may call with a token of this application. Without any, pages of all origins may."
              placeholder={origins.length === 0 ? 'https://app.example.com' : ''}
              value={origins}
              onChange={setOrigins}
              maxTags={MAX_ORIGINS}
              disabled={!mayWrite}
            />
            <PublicFields value={publicFields} onChange={setPublicFields} />
            {save.error && <FailureNote error={save.error} title="Failed to save the settings" />}
            {mayWrite && (
              <Group>
                <Button type="submit" loading={save.isPending}>
                  Save
                </Button>
              </Group>
            )}
          </Stack>
        </fieldset>
      </form>
    </Section>
  );
}

function PublicFields({ value, onChange }: { value: string[]; onChange: (names: string[]) => void }) {
  return (
    <Checkbox.Group
      label="Public fields of identities"
      description="What every user of the application may read of the others. Users read their own fields, and servers all, in any case."
      value={value}
      onChange={onChange}
    >
      <Group mt="xs">
        <Checkbox value="phone_number" label="Phone number" />
        <Checkbox value="email_address" label="E-mail address" />
      </Group>
    </Checkbox.Group>
  );
}

function Limits({
  sessionTtlInSeconds,
  setSessionTtl,
  inlineBodyBytes,
  setInlineBody,
}: {
  sessionTtlInSeconds: number | string;
  setSessionTtl: (seconds: number | string) => void;
  inlineBodyBytes: number | string;
  setInlineBody: (bytes: number | string) => void;
}) {
  return (
    <>
      <NumberInput
        label="Length of a user's session, in seconds"
        description="Holds for new sessions: 30 to 31,536,000 (a year)."
        value={sessionTtlInSeconds}
        onChange={setSessionTtl}
        min={30}
        max={31_536_000}
        thousandSeparator=","
        required
      />
      <NumberInput
        label="Longest inline body of a part, in bytes"
        description="2,048 to 65,536. Longer content is uploaded."
        value={inlineBodyBytes}
        onChange={setInlineBody}
        min={2_048}
        max={65_536}
        thousandSeparator=","
        required
      />
    </>
  );
}

function DangerZone({ app }: { app: App }) {
  const navigate = useNavigate();
  const { appUuid, name, suspended } = app;
  const changes = [APPS.queryKey, ['audit']];
  return (
    <Section title="Suspend or delete">
      <Stack>
        <Group justify="space-between">
          <Text size="sm" maw={560}>
            {suspended
              ? 'The application is suspended: logins and requests are refused. Its data and tokens are kept.'
              : 'A suspended application keeps its data and tokens; logins and requests are refused, and sockets are closed.'}
          </Text>
          {suspended ? (
            <ConfirmButton
              label="Resume"
              color="teal"
              title={`Resume ${name}?`}
              effect="Its users and servers may call again, with the tokens that they have."
              run={() => ADMIN.resumeApp({ appUuid })}
              done="The application was resumed."
              changes={changes}
            />
          ) : (
            <ConfirmButton
              label="Suspend"
              title={`Suspend ${name}?`}
              effect="Every user is disconnected at once, and all logins and requests of the application are refused until it is resumed. Nothing is deleted."
              run={() => ADMIN.suspendApp({ appUuid })}
              done="The application was suspended."
              changes={changes}
            />
          )}
        </Group>
        <Group justify="space-between">
          <Text size="sm" maw={560}>
            A deleted application is gone for its callers at once. Its users, conversations and files follow.
            It cannot be brought back.
          </Text>
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
            after={() => void navigate({ to: '/apps' }).then(() => forget(appUuid))}
          />
        </Group>
      </Stack>
    </Section>
  );
}

function forget(appUuid: string): void {
  QUERIES.removeQueries({ queryKey: appQuery(appUuid).queryKey });
  void QUERIES.invalidateQueries({ queryKey: APPS.queryKey });
}
