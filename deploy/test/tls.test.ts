import path from 'node:path';
import { isAvailable, testWith } from '@parley/testing';
import { readDocuments, render, type Rendered } from './render.ts';
import { environmentOf, processOf, workloads, type Workload } from './workload.ts';

type Certificate = Rendered & { spec: { secretName: string; dnsNames: string[]; usages: string[] } };

const documents: Rendered[] = isAvailable('kubectl')
  ? [...render('overlays/production'), ...readDocuments('secrets.example.yaml')]
  : [];

/** The Secret that is mounted at a folder of the process. */
function secretAt(workload: Workload, folder: string | undefined): string | undefined {
  const mount = processOf(workload).volumeMounts?.find(({ mountPath }) => mountPath === folder);
  const { volumes } = workload.spec.template.spec;
  return volumes?.find(({ name }) => name === mount?.name)?.secret?.secretName;
}

testWith(
  'kubectl',
  'every process has a certificate of its own, with the name by which others call it',
  () => {
    for (const overlay of ['overlays/production', 'overlays/console-apart']) {
      const rendered = [...render(overlay), ...readDocuments('secrets.example.yaml')];
      const certificates = rendered.filter(({ kind }) => kind === 'Certificate') as Certificate[];
      for (const deployment of workloads(rendered, 'Deployment')) {
        const { name } = deployment.metadata;
        const { env } = environmentOf(deployment, rendered);
        const own = certificates.find(({ metadata }) => metadata.name === name);
        expect(own?.spec.usages).toEqual(['server auth', 'client auth']);
        expect(secretAt(deployment, env['PARLEY_TLS_FOLDER'])).toBe(own?.spec.secretName);
        const address = env[`PARLEY_${name.toUpperCase()}_ADDRESS`];
        if (address !== undefined) expect(own?.spec.dnsNames).toContain(address.split(':')[0]);
        else expect(['gateway', 'console-server']).toContain(name);
      }
    }
  },
);

testWith('kubectl', 'processes and migrations reach Postgres, NATS and object storage with TLS', () => {
  for (const workload of workloads(documents, 'Deployment', 'Job')) {
    const { env } = environmentOf(workload, documents);
    expect(env['PARLEY_NATS_URL']).toMatch(/^(tls:[^,]+,?)+$/);
    expect(secretAt(workload, env['PARLEY_NATS_TLS_FOLDER'])).toBe('parley-stores');
    expect(env['PARLEY_S3_ENDPOINT']).toMatch(/^https:/);
    expect(secretAt(workload, env['PARLEY_S3_TLS_FOLDER'])).toBe('parley-stores');
    if (workload.metadata.name === 'gateway') continue;
    const { searchParams } = new URL(env['PARLEY_DATABASE_URL'] ?? '');
    expect(searchParams.get('sslmode')).toBe('verify-full');
    expect(secretAt(workload, path.dirname(searchParams.get('sslrootcert') ?? ''))).toBe('parley-stores');
  }
});
