import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { apiAddress } from '../api/api-url.ts';
import { describeFailure, isDocumented } from '../api/failure.ts';
import { CopyText } from './copy-text.tsx';
import { Icon } from './icons.tsx';

/** Shows why something failed, under which error id and request id, and a way to try again. */
export function FailureNote({
  error,
  title = 'That did not work',
  retry,
}: {
  error: unknown;
  title?: string | undefined;
  retry?: () => void;
}) {
  const { message, errorId, requestId } = describeFailure(error);
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={title} role="alert">
      <Text size="sm">{message}</Text>
      <Group gap="md" mt="xs">
        <Text size="xs">
          Error <ErrorId id={errorId} />
        </Text>
        {requestId && (
          <Group gap={4}>
            <Text size="xs">Request</Text>
            <CopyText text={requestId} label="Copy the request id" />
          </Group>
        )}
      </Group>
      {retry && (
        <Button mt="sm" size="xs" variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

function ErrorId({ id }: { id: string }) {
  if (!isDocumented(id)) return <code>{id}</code>;
  const address = apiAddress(`/docs/errors#${id}`);
  return (
    <Anchor size="xs" href={address} target="_blank" underline="always" c="inherit">
      {id}
    </Anchor>
  );
}
