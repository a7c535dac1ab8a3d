import { readDocuments } from './render.ts';

type Spec = { imageName?: string; cluster?: { name: string }; plugins?: { isWALArchiver?: boolean }[] };

const documents = readDocuments('backup/citus.yaml');
const clusters = documents.filter(({ kind }) => kind === 'Cluster');
const specOf = (document: object) => (document as { spec: Spec }).spec;

test('each server of the cells archives its log, is backed up every day, and has an image by its digest', () => {
  expect(clusters.map(({ metadata }) => metadata.name)).toEqual([
    'parley-cells-coordinator',
    'parley-cells-node-1',
    'parley-cells-node-2',
  ]);
  const backedUp = documents
    .filter(({ kind }) => kind === 'ScheduledBackup')
    .map((backup) => specOf(backup).cluster?.name);
  expect(backedUp).toEqual(clusters.map(({ metadata }) => metadata.name));
  for (const cluster of clusters) {
    const { imageName, plugins } = specOf(cluster);
    expect(imageName).toMatch(/@sha256:[0-9a-f]{64}$/);
    expect(plugins).toEqual([expect.objectContaining({ isWALArchiver: true })]);
  }
});

test('the coordinator is told of each node by the address that follows its primary', () => {
  const job = JSON.stringify(documents.find(({ kind }) => kind === 'Job'));
  for (const { metadata } of clusters) expect(job).toContain(`'${metadata.name}-rw'`);
});
