import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listSettings, type Settings } from '../../packages/kit/src/runtime/config/settings.ts';
import { testWith } from '@parley/testing';
import type { IContainer } from 'kubernetes-models/v1/Container';
import { readDocuments, render, REPOSITORY, type Rendered } from './render.ts';
import { environmentOf, processOf, sourceOf, workloads, type Workload } from './workload.ts';

type Service = Rendered & {
  spec: {
    selector: Record<string, string>;
    clusterIP?: string;
    ports: { name: string; targetPort: string }[];
  };
};
type Scaler = Rendered & { spec: { scaleTargetRef: { kind: string; name: string } } };
type Selecting = Rendered & { spec: { selector: { matchLabels: Record<string, string> } } };

/** Those that have no database, which others do not call. */
const FRONTS: Readonly<Record<string, string>> = { gateway: 'gateway', 'console-server': 'console/server' };
const OVERLAYS = ['overlays/local', 'overlays/podman', 'overlays/production', 'overlays/console-apart'];
const everywhere = [
  'gateway',
  ...readdirSync(path.join(REPOSITORY, 'services')).filter((name) =>
    existsSync(path.join(REPOSITORY, 'services', name, 'src', 'main.ts')),
  ),
];

const readSource = (folder: string, file: string) =>
  readFileSync(path.join(REPOSITORY, folder, 'src', file), 'utf8');

/** Names of the variables that a process reads. */
async function variablesOf(folder: string): Promise<string[]> {
  const file = path.join(REPOSITORY, folder, 'src', 'config.ts');
  const { settings } = (await import(file)) as { settings: Settings };
  return listSettings(settings).map(({ variable }) => variable);
}

const matches = (labels: Record<string, string>, selector: Record<string, string>) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);
const labelsOf = (workload: Workload) => workload.spec.template.metadata.labels;

describe.each(OVERLAYS)('%s', (overlay) => {
  const isApart = overlay.endsWith('apart');
  const processes = isApart ? [...everywhere, 'console-server'] : everywhere;
  let documents: Rendered[];
  let deployments: Workload[];
  const ofKind = <T extends Rendered>(kind: string) => documents.filter((one) => one.kind === kind) as T[];

  beforeAll(() => {
    documents = render(overlay);
    if (overlay.endsWith('production') || isApart) documents.push(...readDocuments('secrets.example.yaml'));
    deployments = workloads(documents, 'Deployment');
  });

  testWith('kubectl', 'every process of the checkout is deployed by its own name', () => {
    const names = deployments.map(({ metadata }) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(processes));
    for (const deployment of deployments) {
      const { name } = deployment.metadata;
      expect(sourceOf(deployment)).toBe(FRONTS[name] ?? `services/${name}`);
    }
  });

  testWith(
    'kubectl',
    'each has what belongs to it: account, scaler, budget, and a Job that migrates it',
    () => {
      for (const { metadata, spec } of deployments) {
        const { name } = metadata;
        expect(spec.template.spec.serviceAccountName).toBe(name);
        const named = documents.filter((one) => one.metadata.name === name).map(({ kind }) => kind);
        expect(named).toEqual(
          expect.arrayContaining([
            'ServiceAccount',
            'Service',
            'HorizontalPodAutoscaler',
            'PodDisruptionBudget',
          ]),
        );
        const job = workloads(documents, 'Job').find((one) => one.metadata.name === `migrate-${name}`);
        expect(job === undefined).toBe(name in FRONTS);
        if (job) expect(processOf(job).args).toEqual([...(processOf(byName(name)).args ?? []), 'migrate']);
      }
    },
  );

  const byName = (name: string): Workload => deployments.find((one) => one.metadata.name === name)!;

  testWith('kubectl', 'selectors find the pods that they mean, and no others', () => {
    const pods = workloads(documents);
    for (const workload of workloads(documents, 'Deployment', 'StatefulSet')) {
      expect(pods.filter((one) => matches(labelsOf(one), workload.spec.selector!.matchLabels))).toEqual([
        workload,
      ]);
    }
    for (const { metadata, spec } of ofKind<Selecting>('PodDisruptionBudget')) {
      const found = pods.filter((one) => matches(labelsOf(one), spec.selector.matchLabels));
      expect(found.map((one) => one.metadata.name)).toEqual([metadata.name]);
    }
    for (const { metadata, spec } of ofKind<Scaler>('HorizontalPodAutoscaler')) {
      expect([spec.scaleTargetRef.kind, spec.scaleTargetRef.name]).toEqual(['Deployment', metadata.name]);
      expect(byName(metadata.name)).toBeDefined();
    }
  });

  testWith('kubectl', 'every port of a Service is one of its pods, and gRPC ones are headless', () => {
    for (const service of ofKind<Service>('Service')) {
      const pods = workloads(documents).filter((one) => matches(labelsOf(one), service.spec.selector));
      expect(pods).toHaveLength(1);
      const names = processOf(pods[0]!).ports?.map(({ name }) => name);
      for (const { targetPort } of service.spec.ports) expect(names).toContain(targetPort);
      if (names?.includes('rpc') && service.spec.ports.some(({ name }) => name === 'rpc'))
        expect(service.spec.clusterIP).toBe('None');
    }
  });

  testWith('kubectl', 'Ingresses lead to Services that are there', () => {
    type Path = { backend: { service: { name: string; port: { name: string } } } };
    type Ingress = Rendered & { spec: { rules: { http: { paths: Path[] } }[] } };
    for (const ingress of ofKind<Ingress>('Ingress')) {
      for (const { backend } of ingress.spec.rules.flatMap(({ http }) => http.paths)) {
        const service = ofKind<Service>('Service').find((one) => one.metadata.name === backend.service.name);
        expect(service?.spec.ports.map(({ name }) => name)).toContain(backend.service.port.name);
      }
    }
  });

  testWith(
    'kubectl',
    'every process gets every variable that it needs, from objects that are there',
    async () => {
      for (const workload of workloads(documents, 'Deployment', 'Job')) {
        if (!existsSync(path.join(REPOSITORY, sourceOf(workload), 'src', 'config.ts'))) continue;
        const { env, missing } = environmentOf(workload, documents);
        expect(missing).toEqual([]);
        const file = path.join(REPOSITORY, sourceOf(workload), 'src', 'config.ts');
        const { readConfig } = (await import(file)) as { readConfig(env: Record<string, string>): object };
        expect(() => readConfig(env)).not.toThrow();
      }
    },
  );

  testWith(
    'kubectl',
    'every variable that is set is read, and every secret is given only to processes that read it',
    async () => {
      const known = await Promise.all(processes.map((name) => variablesOf(sourceOf(byName(name)))));
      const read = new Set(known.flat());
      const everybody = documents.find(
        ({ kind, metadata }) => kind === 'ConfigMap' && /^parley(-[a-z0-9]{10})?$/.test(metadata.name),
      );
      const unread = Object.keys((everybody as unknown as { data: object }).data).filter(
        (key) => !read.has(key),
      );
      expect(unread).toEqual([]);
      for (const [index, name] of processes.entries()) {
        const container = processOf(byName(name));
        const keys = (container.envFrom ?? []).flatMap(({ secretRef }) => secretKeys(secretRef?.name));
        expect(keys.filter((key) => !known[index]!.includes(key))).toEqual([]);
      }
    },
  );

  const secretKeys = (name: string | undefined): string[] => {
    const found = documents.find((one) => one.kind === 'Secret' && one.metadata.name === name);
    const { data = {}, stringData = {} } = (found ?? {}) as { data?: object; stringData?: object };
    return Object.keys({ ...data, ...stringData });
  };

  testWith(
    'kubectl',
    'the gateway and the content service trust the proxies in front of them: an Ingress, or none with podman',
    () => {
      for (const name of [...(isApart ? ['console-server'] : []), 'gateway', 'content']) {
        const { env } = environmentOf(byName(name), documents);
        expect(env['PARLEY_TRUSTED_PROXIES']).toBe(overlay.endsWith('podman') ? '0' : '1');
      }
    },
  );

  testWith('kubectl', 'one process has what operators are served with: its port, and their secrets', () => {
    for (const deployment of deployments) {
      const { name } = deployment.metadata;
      const isServer = name === (isApart ? 'console-server' : 'gateway');
      const { env } = environmentOf(deployment, documents);
      expect([name, 'PARLEY_ADMIN_TOKEN' in env]).toEqual([name, isServer]);
      const ports = processOf(deployment).ports?.map((port) => port.name);
      expect([name, ports?.includes('console')]).toEqual([name, isServer]);
    }
  });

  testWith('kubectl', 'ports and probes are those that the processes listen on', () => {
    for (const deployment of deployments) {
      const container = processOf(deployment);
      const { env } = environmentOf(deployment, documents);
      const ports = Object.fromEntries(
        (container.ports ?? []).map((one) => [one.name, String(one.containerPort)]),
      );
      expect(ports['metrics']).toBe(env['PARLEY_METRICS_PORT']);
      if (ports['rpc']) expect(ports['rpc']).toBe(env['PARLEY_RPC_PORT']);
      if (ports['http']) expect(ports['http']).toBe(env['PARLEY_HTTP_PORT']);
      if (ports['console']) expect(ports['console']).toBe(env['PARLEY_CONSOLE_PORT']);
      for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe])
        expect(probeOf(probe)).toBe(
          deployment.metadata.name in FRONTS || env['PARLEY_TLS_FOLDER']
            ? 'http metrics'
            : `grpc ${ports['rpc']}`,
        );
    }
  });

  const probeOf = (probe: IContainer['readinessProbe']): string =>
    probe?.grpc ? `grpc ${probe.grpc.port}` : `http ${probe?.httpGet?.port}`;

  testWith('kubectl', 'pods run without rights, and have longer to stop than the processes take', () => {
    const stopWithin =
      Number(
        /STOP_WITHIN_MS = ([\d_]+)/
          .exec(readSource('packages/kit', 'runtime/process.ts'))?.[1]
          ?.replaceAll('_', ''),
      ) / 1000;
    for (const workload of workloads(documents, 'Deployment', 'Job')) {
      const pod = workload.spec.template.spec;
      const container = processOf(workload);
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources?.requests).toMatchObject({
        cpu: expect.anything(),
        memory: expect.anything(),
      });
      if (workload.kind === 'Job') continue;
      const wait = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(stopWithin + wait);
    }
  });
});
