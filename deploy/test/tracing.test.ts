import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@parley/testing';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { render, renderProduction, REPOSITORY, type Rendered } from './render.ts';
import { environmentOf, workloads, type Workload } from './workload.ts';

/** The production overlay with the component switched on as its comment says; `patches` come before its own. */
const renderTracing = (patches = '') =>
  renderProduction({
    kustomization: (text) =>
      text
        .replace('# - ../../components/tracing', '- ../../components/tracing')
        .replace('patches:\n', `patches:\n${patches}`),
  });

const policiesOf = (documents: Rendered[]) =>
  documents.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as INetworkPolicy[];
const endpointOf = (documents: Rendered[], workload: Workload) =>
  environmentOf(workload, documents).env['PARLEY_OTLP_ENDPOINT'];
const portsOf = ({ spec }: INetworkPolicy) =>
  (spec?.egress ?? []).flatMap(({ ports }) => (ports ?? []).map(({ port }) => port));

describeWith('kubectl', 'tracing', () => {
  test('is off in the production overlay, and nothing reaches a collector', () => {
    const documents = render('overlays/production');
    const endpoints = workloads(documents, 'Deployment').map((one) => endpointOf(documents, one));
    expect(new Set(endpoints)).toEqual(new Set([undefined]));
    expect(policiesOf(documents).flatMap(portsOf)).not.toContain(4318);
  });

  test('tells every process the collector, at a port that every pod may call', () => {
    const documents = renderTracing();
    const policy = policiesOf(documents).find(({ metadata }) => metadata?.name === 'collector')!;
    const pods = workloads(documents, 'Deployment', 'Job');
    expect(pods.length).toBeGreaterThan(8);
    for (const pod of pods) {
      expect(pod.spec.template.metadata.labels).toMatchObject(
        policy.spec?.podSelector?.matchLabels ?? { no: '' },
      );
      const { hostname, port } = new URL(endpointOf(documents, pod)!);
      expect(portsOf(policy)).toContain(Number(port));
      const [to] = policy.spec!.egress![0]!.to!;
      expect(hostname).toBe(
        `opentelemetry-collector.${to?.namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name']}`,
      );
    }
  });

  test('allows calls of the collector only: pods of one name, in one namespace', () => {
    const policy = policiesOf(renderTracing()).find(({ metadata }) => metadata?.name === 'collector')!;
    expect(policy.spec?.egress).toEqual([
      {
        to: [
          {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'observability' } },
            podSelector: { matchLabels: { 'app.kubernetes.io/name': 'opentelemetry-collector' } },
          },
        ],
        ports: [{ port: 4317 }, { port: 4318 }],
      },
    ]);
  });

  test('reaches the collector of the example in the documentation by its patches', () => {
    const page = readFileSync(path.join(REPOSITORY, 'docs', 'operations.md'), 'utf8');
    const [, patches] =
      /\n```yaml\npatches:\n( {2}- target: \{ kind: NetworkPolicy, name: collector \}\n[^`]*)```/.exec(page)!;
    const documents = renderTracing(patches);
    const policy = policiesOf(documents).find(({ metadata }) => metadata?.name === 'collector')!;
    const [gateway] = workloads(documents, 'Deployment');
    expect(endpointOf(documents, gateway!)).toBe('http://alloy.tracing:4318');
    expect(policy.spec?.egress?.[0]?.to).toEqual([
      {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'tracing' } },
        podSelector: { matchLabels: { 'app.kubernetes.io/name': 'alloy' } },
      },
    ]);
  });
});
