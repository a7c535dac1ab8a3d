import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { apiAddress } from '../api/api-url.ts';
import { describeFailure } from '../api/failure.ts';
import { CopyText } from './copy-text.tsx';
import { Icon } from './icons.tsx';

/** What failed, under which error id and request id, and a way to try again. */
export function FailureNote({
  error,
  title = 'That did not work',
  retry,
}: {
  error: unknown;
  title?: string;
  retry?: () => void;
}) {
  const { message, errorId, requestId } = describeFailure(error);
  const isDocumented = !['unreachable', 'unexpected'].includes(errorId) && !errorId.startsWith('http_');
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={title} role="alert">
      <Text size="sm">{message}</Text>
      <Group gap="md" mt="xs">
        <Text size="xs">
          Error{' '}
          {isDocumented ? (
            <Anchor
              size="xs"
              href={apiAddress(`/docs/errors#${errorId}`)}
              target="_blank"
              underline="always"
              c="inherit"
            >
              {errorId}
            </Anchor>
          ) : (
            <code>{errorId}</code>
          )}
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
