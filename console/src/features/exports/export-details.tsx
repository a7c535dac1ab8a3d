import { Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Export } from '@parley/contract/gen/records';
import { pathTo } from '../../api/path.ts';
import { recordQuery } from '../../api/queries.ts';
import type { AppIds } from '../../api/rest.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Loaded } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';

/** The address of an archive, which is made when it is asked for, and how to open it. */
export function ExportDetails({ app, id }: { app: AppIds; id: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  const query = useQuery({
    ...recordQuery<Export>(app, pathTo`/exports/${id}/status`),
    enabled: isOpen,
    staleTime: 0,
  });
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
          {(one) => (
            <Stack>
              <Fields
                rows={[
                  [
                    'SHA-256',
                    <CopyText key="sum" text={one.archive_sha256 ?? ''} label="Copy the checksum" />,
                  ],
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
              <CodeBlock text={commandsFor(one)} label="Commands" />
            </Stack>
          )}
        </Loaded>
      </Modal>
    </>
  );
}

function commandsFor({ encrypted_aes_key, aes_iv, key_padding }: Export): string {
  const padding =
    key_padding === 'oaep-sha256' ? ' -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256' : '';
  const iv = Array.from(atob(aes_iv ?? ''), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join(
    '',
  );
  return [
    `echo '${encrypted_aes_key}' | openssl base64 -d -A | openssl pkeyutl -decrypt -inkey private.pem${padding} > key`,
    `openssl enc -d -aes-256-cbc -K "$(od -An -v -tx1 key | tr -d ' \\n')" -iv ${iv} -in archive | tar xz`,
  ].join('\n');
}
