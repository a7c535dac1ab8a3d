import { Alert, Button, CopyButton, Group, Modal, Stack } from '@mantine/core';
import { Icon } from './icons.tsx';

type Props = {
  title: string;
  secret: string | undefined;
  /** Offers the secret as a file as well. */
  fileName?: string;
  close: () => void;
};

/** Shows a secret that the platform does not keep. */
export function SecretModal({ title, secret, fileName, close }: Props) {
  return (
    <Modal
      opened={secret !== undefined}
      onClose={close}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
          It is shown this once. The platform cannot show it again.
        </Alert>
        <pre className="code secret" tabIndex={0} aria-label={title}>
          {secret}
        </pre>
        <Group justify="flex-end">
          {fileName && (
            <Button variant="default" onClick={() => saveFile(fileName, secret ?? '')}>
              Save as a file
            </Button>
          )}
          <CopySecret secret={secret ?? ''} />
          <Button onClick={close}>I have stored it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function CopySecret({ secret }: { secret: string }) {
  return (
    <CopyButton value={secret}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  );
}

/** Offers a text to the browser as a download. */
function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
