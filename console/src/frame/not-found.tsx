import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty, Page } from '../ui/page.tsx';

export function NotFound() {
  return (
    <Page title="There is no such page">
      <Empty icon="search" title="This address leads nowhere">
        <Button component={Link} to="/apps" mt="md" variant="default">
          Show the applications
        </Button>
      </Empty>
    </Page>
  );
}
