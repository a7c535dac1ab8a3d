import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { APPS, statisticsQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { LazyFigures } from '../../charts/lazy-figures.tsx';
import { Empty, Loaded, Page, Section } from '../../ui/page.tsx';
import { Figure } from './figure.tsx';
import { UsageTable } from './usage-table.tsx';

export function OverviewPage() {
  const seesAll = useMay('viewer');
  return (
    <Page
      title="Overview"
      about="What you may see of the platform, at this moment; the numbers are read again every ten seconds."
    >
      {seesAll && <Numbers />}
      {seesAll && <Traffic />}
      <Usage />
    </Page>
  );
}

function Numbers() {
  const statistics = useQuery(statisticsQuery());
  return (
    <Loaded query={statistics} what="the numbers">
      {({ apps, users, sessions }) => (
        <div className="numbers">
          <Figure label="Applications" value={apps} />
          <Figure label="Users" value={users} />
          <Figure label="Sessions of users" value={sessions} />
        </div>
      )}
    </Loaded>
  );
}

function Traffic() {
  const search = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  return (
    <LazyFigures
      appUuid=""
      search={search}
      onSearch={(next) => void navigate({ search: (known) => ({ ...known, ...next }), replace: true })}
      hint="Charts appear here once users connect and send messages."
    />
  );
}

function Usage() {
  const apps = useQuery(APPS);
  return (
    <Section title="Usage by application">
      <Loaded query={apps} what="the applications">
        {(all) =>
          all.length === 0 ? (
            <Empty icon="apps" title="There is no application yet">
              <Button component={Link} to="/apps" mt="md">
                Create the first one
              </Button>
            </Empty>
          ) : (
            <UsageTable apps={all} />
          )
        }
      </Loaded>
    </Section>
  );
}
