import { readFileSync } from 'node:fs';
import path from 'node:path';
import { testWith } from '@parley/testing';
import { DEPLOY_FOLDER, render, type Rendered } from './render.ts';
import { processOf, workloads } from './workload.ts';

type Scaler = Rendered & { spec: { minReplicas: number; scaleTargetRef: { name: string } } };

function inCores(quantity: unknown): number {
  const text = String(quantity);
  return text.endsWith('m') ? Number.parseFloat(text) / 1_000 : Number.parseFloat(text);
}

function inMebibytes(quantity: unknown): number {
  const text = String(quantity);
  return Number.parseFloat(text) * (text.endsWith('Gi') ? 1_024 : 1);
}

testWith('kubectl', 'the document says what the production overlay requests', () => {
  const rendered = render('overlays/production');
  const scalers = rendered.filter(({ kind }) => kind === 'HorizontalPodAutoscaler') as Scaler[];
  const totals = { pods: 0, cores: 0, mebibytes: 0 };
  for (const workload of workloads(rendered, 'Deployment')) {
    const scaler = scalers.find(({ spec }) => spec.scaleTargetRef.name === workload.metadata.name);
    const replicas = scaler?.spec.minReplicas ?? 1;
    const { requests = {} } = processOf(workload).resources ?? {};
    totals.pods += replicas;
    totals.cores += replicas * inCores(requests['cpu']);
    totals.mebibytes += replicas * inMebibytes(requests['memory']);
  }
  const { pods, cores, mebibytes } = totals;
  const text = readFileSync(path.join(DEPLOY_FOLDER, 'README.md'), 'utf8');
  expect(text).toContain(`${pods} pods, ${cores} CPU and ${(mebibytes / 1_024).toFixed(1)} GiB`);
});
