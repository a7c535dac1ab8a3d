import { FailureNote } from '../ui/failure-note.tsx';
import { Page } from '../ui/page.tsx';

export function PageFailure({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <Page title="The page failed">
      <FailureNote error={error} title="The page could not be shown" retry={reset} />
    </Page>
  );
}
