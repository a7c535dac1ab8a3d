import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { Checkbox, Group, NumberInput, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import type { App } from '@parley/proto/parley/identity/v1/app_pb';
import { ADMIN } from '../../api/admin.ts';
import { APPS } from '../../api/queries.ts';
import { Form } from '../../ui/form/form.tsx';
import { useValues, type FormValues } from '../../ui/form/use-values.ts';
import { Section } from '../../ui/page.tsx';
import { useAction } from '../../ui/use-action.ts';

const MAX_ORIGINS = 100;

const DIRECTORIES = [
  { value: 'nobody', label: 'Nobody' },
  { value: 'shared', label: 'Users with whom they share a conversation' },
  { value: 'everyone', label: 'Everyone' },
];

type Settings = {
  name: string;
  /** Numbers are texts while they are typed. */
  sessionTtl: number | string;
  inlineBody: number | string;
  origins: string[];
  publicFields: string[];
  directory: string;
};

function settingsOf(app: App): Settings {
  return {
    name: app.name,
    sessionTtl: app.sessionTtlInSeconds,
    inlineBody: app.inlineBodyBytes,
    origins: app.allowedOrigins,
    publicFields: app.publicIdentityFields,
    directory: app.userDirectory || 'nobody',
  };
}

function saveSettings(
  appUuid: string,
  { name, sessionTtl, inlineBody, origins, publicFields, directory }: Settings,
): Promise<unknown> {
  return ADMIN.updateApp({
    appUuid,
    name,
    sessionTtlInSeconds: Number(sessionTtl),
    inlineBodyBytes: Number(inlineBody),
    allowedOrigins: { origins },
    publicIdentityFields: { names: publicFields },
    userDirectory: directory,
  });
}

export function SettingsForm({ app, mayWrite }: { app: App; mayWrite: boolean }) {
  const form = useValues(settingsOf(app));
  const directory = form.choice('directory');
  const save = useAction({
    run: () => saveSettings(app.appUuid, form.values),
    done: 'The settings were saved.',
    changes: [APPS.queryKey],
  });
  return (
    <Section title="General">
      <Form
        maw={560}
        submit={() => save.mutate()}
        submitLabel={mayWrite ? 'Save' : undefined}
        action={save}
        failureTitle="Failed to save the settings"
      >
        <fieldset disabled={!mayWrite} className="plain-fieldset">
          <Stack>
            <TextInput {...form.text('name')} label="Name" required />
            <Limits {...form} />
            <Origins {...form.choice('origins')} disabled={!mayWrite} />
            <PublicFields {...form.choice('publicFields')} />
            <Select
              {...directory}
              // It is never empty: a chosen value cannot be taken back.
              onChange={(value) => value !== null && directory.onChange(value)}
              label="Users find"
              description="Whom users of the application find by the beginning of a name."
              data={DIRECTORIES}
              allowDeselect={false}
            />
          </Stack>
        </fieldset>
      </Form>
    </Section>
  );
}

function Limits({ choice }: FormValues<Settings>) {
  return (
    <>
      <NumberInput
        {...choice('sessionTtl')}
        label="Length of a user's session, in seconds"
        description="Holds for new sessions: 30 to 31,536,000 (a year)."
        min={30}
        max={31_536_000}
        thousandSeparator=","
        required
      />
      <NumberInput
        {...choice('inlineBody')}
        label="Longest inline body of a part, in bytes"
        description="2,048 to 65,536. Longer content is uploaded."
        min={2_048}
        max={65_536}
        thousandSeparator=","
        required
      />
    </>
  );
}

type NamesProps = { value: string[]; onChange: (names: string[]) => void };

function Origins(props: NamesProps & { disabled: boolean }) {
  return (
    <TagsInput
      {...props}
      label="Allowed origins"
      description="Pages of these origins may call with a token of this application. Without any, pages of all origins may."
      placeholder={props.value.length === 0 ? 'https://app.example.com' : ''}
      maxTags={MAX_ORIGINS}
    />
  );
}

function PublicFields(props: NamesProps) {
  return (
    <Checkbox.Group
      {...props}
      label="Public fields of identities"
      description="What every user of the application may read of the others. Users read their own fields, and servers all, in any case."
    >
      <Group mt="xs">
        <Checkbox value="phone_number" label="Phone number" />
        <Checkbox value="email_address" label="E-mail address" />
      </Group>
    </Checkbox.Group>
  );
}
