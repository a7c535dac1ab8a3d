import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type {
  Cell,
  CellMove,
  CellNode,
  ListCellsResponse,
} from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty, Loaded, Page, Section } from '../../ui/page.tsx';
import { Tag, type Tone } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { CELLS } from './queries.ts';
import { describeSize, shareCopied } from './sizes.ts';

export function CellsPage() {
  const query = useQuery(CELLS);
  return (
    <Page
      title="Cells"
      about="Where the conversations and messages of applications are. “parley cells” on the command line adds and moves cells."
    >
      <Loaded query={query} what="the cells">
        {(answer) => <Survey {...answer} />}
      </Loaded>
    </Page>
  );
}

function Survey({ kind, cells, nodes, moves, isCoordinatorAway }: ListCellsResponse) {
  return (
    <>
      {isCoordinatorAway && (
        <Alert
          color="red"
          variant="light"
          icon={<Icon name="warning" />}
          title="The coordinator does not answer"
        >
          Applications are served; no cell is moved or added, and moves are not known until it is back.
        </Alert>
      )}
      <Section title="Cells" about={ABOUT[kind]}>
        <DataTable
          label="Cells"
          rows={cells}
          columns={CELL_COLUMNS}
          idOf={({ name }) => name}
          empty={<Empty icon="cells" title="There is no cell yet" />}
        />
      </Section>
      <Section title="Nodes">
        <DataTable
          label="Nodes"
          rows={nodes}
          columns={NODE_COLUMNS}
          idOf={({ address }) => address}
          empty={<Empty icon="cells" title="There is no node" />}
        />
      </Section>
      {kind === 'citus' && <Moves moves={moves} />}
    </>
  );
}

const ABOUT: Readonly<Record<string, string>> = {
  one: 'All applications are in one cell, the schema public of one server.',
  schemas: 'The cells are schemas of one server.',
  citus: 'Citus has placed the cells on the nodes.',
};

function Moves({ moves }: { moves: readonly CellMove[] }) {
  return (
    <Section title="Moves" about="Unfinished ones, and the last that ended.">
      <DataTable
        label="Moves"
        rows={moves}
        columns={MOVE_COLUMNS}
        idOf={({ cell, requestedAt }) => `${cell} ${requestedAt}`}
        empty={
          <Empty icon="cells" title="No cell has been moved">
            “parley cells move p00 node-2:5432” moves one while messages are sent.
          </Empty>
        }
      />
    </Section>
  );
}

const CELL_TONES: Readonly<Record<string, Tone>> = { open: 'good', making: 'waiting', added: 'info' };
const MOVE_TONES: Readonly<Record<string, Tone>> = {
  moved: 'good',
  failed: 'bad',
  moving: 'info',
  waiting: 'waiting',
};

const CELL_COLUMNS: readonly Column<Cell>[] = [
  { id: 'name', header: 'Cell', width: '90px', cell: ({ name }) => <code>{name}</code> },
  { id: 'node', header: 'Node', width: '2fr', cell: ({ node }) => node || 'unknown' },
  { id: 'size', header: 'Size', width: '100px', cell: ({ byteCount }) => describeSize(byteCount) },
  {
    id: 'apps',
    header: 'Applications',
    width: '110px',
    cell: ({ appCount }) => appCount?.toLocaleString('en') ?? 'unknown',
  },
  {
    id: 'state',
    header: 'New applications',
    width: '150px',
    isWide: true,
    cell: ({ state }) => <Tag tone={CELL_TONES[state] ?? 'neutral'}>{state}</Tag>,
  },
];

const NODE_COLUMNS: readonly Column<CellNode>[] = [
  { id: 'address', header: 'Node', width: '2fr', cell: ({ address }) => address },
  { id: 'size', header: 'Size', width: '100px', cell: ({ byteCount }) => describeSize(byteCount) },
  { id: 'cells', header: 'Cells', width: '80px', cell: ({ cellCount }) => cellCount },
  { id: 'state', header: 'State', width: '150px', cell: (node) => <NodeState {...node} /> },
];

function NodeState({ isReachable, isCoordinator, takesCells }: CellNode) {
  if (!isReachable) return <Tag tone="bad">does not answer</Tag>;
  if (isCoordinator) return <Tag tone="info">coordinator</Tag>;
  return <Tag tone={takesCells ? 'good' : 'neutral'}>{takesCells ? 'takes cells' : 'takes no cells'}</Tag>;
}

const MOVE_COLUMNS: readonly Column<CellMove>[] = [
  { id: 'cell', header: 'Cell', width: '90px', cell: ({ cell }) => <code>{cell}</code> },
  { id: 'from', header: 'From', width: '1fr', isWide: true, cell: ({ source }) => source },
  { id: 'to', header: 'To', width: '1fr', cell: ({ target }) => target },
  { id: 'state', header: 'State', width: '2fr', cell: (move) => <MoveState {...move} /> },
  {
    id: 'requested',
    header: 'Requested',
    width: '130px',
    isWide: true,
    cell: ({ requestedAt }) => <Time at={requestedAt} />,
  },
];

function MoveState(move: CellMove) {
  const { state, phase, attemptCount, error } = move;
  const share = shareCopied(move);
  const notes = [
    phase,
    share !== undefined && `${share} %`,
    attemptCount > 1 && `attempt ${attemptCount}`,
    error,
  ].filter((note) => note !== false && note !== '');
  return (
    <>
      <Tag tone={MOVE_TONES[state] ?? 'neutral'}>{state}</Tag> {notes.join(', ')}
    </>
  );
}
