import { Group, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Figures } from '@parley/proto/parley/identity/v1/figure_service_pb';
import { Empty, Loaded, Section } from '../ui/page.tsx';
import { CHARTS, hasFigures, stepsOf, type SpanName } from './charts.ts';
import { figuresQuery } from './figures-query.ts';
import { FiguresTable } from './figures-table.tsx';
import { LineChart } from './line-chart.tsx';

/** Parameters of the address that select charts; a change leaves out what stays. */
export type FiguresSearch = { span?: string | undefined; view?: string | undefined };

type Props = {
  /** Empty: of the whole platform. */
  appUuid: string;
  search: FiguresSearch;
  onSearch: (search: FiguresSearch) => void;
  /** Advice where nothing was counted. */
  hint: ReactNode;
};

/** Charts of what the platform counted, by the minute, which follow it; or the same as a table. */
export function FiguresSection({ appUuid, search, onSearch, hint }: Props) {
  const span: SpanName = search.span === 'day' ? 'day' : 'hour';
  const isTable = search.view === 'table';
  const query = useQuery(figuresQuery(appUuid, span));
  return (
    <Section
      title="Traffic"
      about="What the platform has counted; it is a few seconds behind."
      actions={<Choices {...{ span, isTable, onSearch }} />}
    >
      <Loaded query={query} what="the figures">
        {(figures) =>
          hasFigures(figures) ? (
            <Counted figures={figures} span={span} isTable={isTable} at={query.dataUpdatedAt} />
          ) : (
            <Empty icon="overview" title={`Nothing was counted in the last ${span}`}>
              {hint}
            </Empty>
          )
        }
      </Loaded>
    </Section>
  );
}

function Choices({
  span,
  isTable,
  onSearch,
}: Pick<Props, 'onSearch'> & { span: SpanName; isTable: boolean }) {
  return (
    <Group gap="sm">
      <Choice
        label="Time"
        value={span}
        choices={{ hour: 'Last hour', day: 'Last day' }}
        onChange={(value) => onSearch({ span: value === 'hour' ? undefined : value })}
      />
      <Choice
        label="View"
        value={isTable ? 'table' : 'charts'}
        choices={{ charts: 'Charts', table: 'Table' }}
        onChange={(value) => onSearch({ view: value === 'charts' ? undefined : value })}
      />
    </Group>
  );
}

function Counted({
  figures,
  span,
  isTable,
  at,
}: {
  figures: readonly Figures[];
  span: SpanName;
  isTable: boolean;
  at: number;
}) {
  const steps = stepsOf(figures, span, at);
  if (isTable) return <FiguresTable steps={steps} />;
  return (
    <div className="charts">
      {CHARTS.map((chart) => (
        <LineChart key={chart.title} chart={chart} steps={steps} />
      ))}
    </div>
  );
}

function Choice({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: string;
  choices: Readonly<Record<string, string>>;
  onChange: (value: string) => void;
}) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={value}
      onChange={onChange}
      data={Object.entries(choices).map(([key, text]) => ({ value: key, label: text }))}
    />
  );
}
