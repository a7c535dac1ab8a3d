import { Group, Stack, Text } from '@mantine/core';
import type { Provider } from '@parley/proto/parley/identity/v1/app_pb';
import { ADMIN } from '../../api/admin.ts';
import { hasText } from '../../api/has-text.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Section } from '../../ui/page.tsx';
import { CreateKey } from './create-key.tsx';
import { KeysTable } from './keys-table.tsx';
import { providersQuery } from './queries.ts';

type Props = { provider: Provider; mayWrite: boolean; text: string };

/** A provider that has the text itself is shown with all of its keys. */
export function ProviderSection({ provider, mayWrite, text }: Props) {
  const { id, name } = provider;
  const textOfKeys = hasText([id, name], text) ? '' : text;
  return (
    <Section title={name} actions={mayWrite && <ProviderActions provider={provider} />}>
      <Stack>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" c="dimmed">
            iss
          </Text>
          <CopyText text={id} label={`Copy the id of ${name}`} />
        </Group>
        <KeysTable {...{ provider, mayWrite }} text={textOfKeys} />
      </Stack>
    </Section>
  );
}

function ProviderActions({ provider: { id, name, appUuid } }: Pick<Props, 'provider'>) {
  return (
    <Group gap="xs">
      <CreateKey providerId={id} />
      <ConfirmButton
        label="Delete provider"
        title={`Delete the provider ${name}?`}
        effect="Identity tokens of this provider are refused from then on, and its keys are deleted. Sessions that are open stay."
        run={() => ADMIN.deleteProvider({ providerId: id })}
        done="The provider was deleted."
        changes={[providersQuery(appUuid).queryKey]}
      />
    </Group>
  );
}
