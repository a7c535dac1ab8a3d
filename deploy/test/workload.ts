import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import type { Rendered } from './render.ts';

/** A Deployment, StatefulSet or Job: something that makes pods. */
export type Workload = Rendered & {
  spec: {
    selector?: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: IPodSpec };
  };
};

const KINDS = ['Deployment', 'StatefulSet', 'Job'];

export function workloads(documents: Rendered[], ...only: string[]): Workload[] {
  const wanted = only.length > 0 ? only : KINDS;
  return documents.filter(({ kind }) => wanted.includes(kind)) as Workload[];
}

/** The one container of a process. */
export function processOf(workload: Workload): IContainer {
  const [container, ...more] = workload.spec.template.spec.containers;
  if (!container || more.length > 0) throw new Error(`${workload.metadata.name} has not one container`);
  return container;
}

/** The folder of the process that it runs, `services/messaging`. */
export function folderOf(workload: Workload): string {
  return processOf(workload).args?.[0]?.replace('/dist/main.js', '') ?? '';
}

/** The folder of its sources, which the image may have by another name. */
export function sourceOf(workload: Workload): string {
  return folderOf(workload).replace(/^console-server$/, 'console/server');
}

/** The environment that the container gets, and what it refers to that is not there. */
export function environmentOf(workload: Workload, documents: Rendered[]) {
  const env: Record<string, string> = {};
  const missing: string[] = [];
  for (const { configMapRef, secretRef } of processOf(workload).envFrom ?? []) {
    const kind = configMapRef ? 'ConfigMap' : 'Secret';
    const name = (configMapRef ?? secretRef)?.name ?? '';
    const found = documents.find((one) => one.kind === kind && one.metadata.name === name);
    if (found) Object.assign(env, dataOf(found));
    else missing.push(`${kind} ${name}`);
  }
  return { env, missing };
}

function dataOf(found: Rendered): Record<string, string> {
  const { data = {}, stringData = {} } = found as Partial<
    Record<'data' | 'stringData', Record<string, string>>
  >;
  if (found.kind === 'ConfigMap') return data;
  const plain = Object.entries(data).map(([key, value]) => [
    key,
    Buffer.from(value, 'base64').toString('utf8'),
  ]);
  return { ...(Object.fromEntries(plain) as Record<string, string>), ...stringData };
}
