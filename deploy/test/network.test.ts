import { existsSync } from 'node:fs';
import path from 'node:path';
import { isAvailable, testWith } from '@parley/testing';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { render, REPOSITORY, type Rendered } from './render.ts';
import { listSettings, type Settings } from '../../packages/kit/src/runtime/config/settings.ts';
import { sourceOf, workloads, type Workload } from './workload.ts';

const documents: Rendered[] = isAvailable('kubectl') ? render('overlays/console-apart') : [];
const policies = documents.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as INetworkPolicy[];
const deployments = workloads(documents, 'Deployment');

type Selector = {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; values?: string[] }[];
};

const labelsOf = (workload: Workload) => workload.spec.template.metadata.labels;
function selects(selector: Selector | undefined, labels: Record<string, string>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values?.includes(labels[key] ?? ''))
  );
}

/** Whether some policy lets `from` call `to` at the port, on the side of either. */
function allows(from: Workload, to: Workload, port: number): { egress: boolean; ingress: boolean } {
  const at = (ports: { port?: number | string }[] | undefined) =>
    ports?.some((one) => one.port === port) ?? false;
  const egress = policies.some(
    ({ spec }) =>
      selects(spec?.podSelector, labelsOf(from)) &&
      spec?.egress?.some(
        (rule) =>
          at(rule.ports) && rule.to?.some((one) => one.podSelector && selects(one.podSelector, labelsOf(to))),
      ),
  );
  const ingress = policies.some(
    ({ spec }) =>
      selects(spec?.podSelector, labelsOf(to)) &&
      spec?.ingress?.some(
        (rule) =>
          at(rule.ports) &&
          rule.from?.some((one) => one.podSelector && selects(one.podSelector, labelsOf(from))),
      ),
  );
  return { egress, ingress };
}

/** The services whose addresses a process is given; undefined: it is none of the platform's. */
async function calleesOf(caller: Workload): Promise<string[] | undefined> {
  const file = path.join(REPOSITORY, sourceOf(caller), 'src', 'config.ts');
  if (!existsSync(file)) return undefined;
  const { settings } = (await import(file)) as { settings: Settings };
  const addresses = listSettings(settings).map(
    ({ variable }) => /^PARLEY_([A-Z]+)_ADDRESS$/.exec(variable)?.[1],
  );
  return addresses.filter((name) => name !== undefined).map((name) => name.toLowerCase());
}

testWith('kubectl', 'nothing is allowed that is not said', () => {
  const all = policies.find(({ metadata }) => metadata?.name === 'deny-all');
  expect(all?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
});

testWith('kubectl', 'every process may call those whose address it is given, on both sides', async () => {
  let pairs = 0;
  for (const caller of deployments) {
    for (const name of (await calleesOf(caller)) ?? []) {
      const callee = deployments.find(({ metadata }) => metadata.name === name);
      expect({ from: caller.metadata.name, to: name, ...allows(caller, callee!, 7000) }).toEqual({
        from: caller.metadata.name,
        to: name,
        egress: true,
        ingress: true,
      });
      pairs += 1;
    }
  }
  // Seven services whom the gateway calls, and four whom the console's server does.
  expect(pairs).toBeGreaterThan(11);
});

testWith(
  'kubectl',
  'only webhook and push reach the internet, and no private or link-local address of it',
  () => {
    const open = policies.filter(({ spec }) =>
      spec?.egress?.some(({ to }) => to?.some(({ ipBlock }) => ipBlock?.cidr.endsWith('/0'))),
    );
    expect(open).toHaveLength(1);
    const reached = deployments.filter((one) => selects(open[0]?.spec?.podSelector, labelsOf(one)));
    expect(reached.map(({ metadata }) => metadata.name)).toEqual(['push', 'webhook']);
    const blocks = open[0]?.spec?.egress?.flatMap(({ to }) => to ?? []).map(({ ipBlock }) => ipBlock);
    expect(blocks?.[0]?.except).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16']),
    );
  },
);

testWith('kubectl', 'webhooks cannot call the gateway or each other', () => {
  const webhook = deployments.find(({ metadata }) => metadata.name === 'webhook')!;
  const identity = deployments.find(({ metadata }) => metadata.name === 'identity')!;
  expect(allows(webhook, identity, 7000).ingress).toBe(false);
});
