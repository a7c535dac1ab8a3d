import { Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Export } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Loaded } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { openCommands } from './open-commands.ts';
import { exportQuery } from './queries.ts';

/** The address of an archive, which is made when it is asked for, and how to open it. */
export function ExportDetails({ app, id }: { app: AppIds; id: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  const query = useQuery({ ...exportQuery(app, id), enabled: isOpen, staleTime: 0 });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Download
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="The archive"
        size="xl"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Loaded query={query} what="the export">
          {(one) => <Archive one={one} />}
        </Loaded>
      </Modal>
    </>
  );
}

function Archive({ one }: { one: Export }) {
  return (
    <Stack>
      <Fields
        rows={[
          ['SHA-256', <CopyText key="sum" text={one.archive_sha256 ?? ''} label="Copy the checksum" />],
          ['Key padding', one.key_padding],
          ['Address works until', <Time key="until" at={one.download_url_expires_at} />],
        ]}
      />
      {one.download_url && (
        <Button component="a" href={one.download_url} target="_blank" rel="noreferrer">
          Download {one.archive_size?.toLocaleString('en')} bytes
        </Button>
      )}
      <Text size="sm">With the private key in private.pem the archive is opened by</Text>
      <CodeBlock text={openCommands(one)} label="Commands" />
    </Stack>
  );
}
