// What `podman kube play` takes of the rendered documents on standard input: the configuration, and the pods of the
// Deployments that are named, under their Services' names, since podman has no Services. Secrets become ConfigMaps:
// podman's versions disagree on how a Secret is kept.
//   node deploy/podman/pods.ts identity messaging gateway < rendered.yaml
import { readFileSync } from 'node:fs';
import { parseAllDocuments, stringify } from 'yaml';

type Rendered = { kind: string; metadata: { name: string }; data?: Record<string, string> };
type EnvFrom = { configMapRef?: { name: string }; secretRef?: { name: string } };
type Port = { hostPort?: number };
type Container = { envFrom?: EnvFrom[]; ports?: Port[]; [key: string]: unknown };
type Template = { metadata: object; spec: { containers: Container[] } };
type Deployment = Rendered & { spec: { template: Template } };

const names = process.argv.slice(2);
const documents = parseAllDocuments(readFileSync(0, 'utf8')).map((one) => one.toJS() as Rendered);
const pods = documents.filter(isDeployment).filter(({ metadata }) => names.includes(metadata.name));
const settings = documents.filter(({ kind }) => kind === 'ConfigMap');
const secrets = documents.filter(({ kind }) => kind === 'Secret');
const made = [...settings, ...secrets.map(asConfigMap), ...pods.map(asPod)];
process.stdout.write(made.map((document) => stringify(document)).join('---\n'));

function isDeployment(document: Rendered): document is Deployment {
  return document.kind === 'Deployment';
}

function asConfigMap({ metadata: { name }, data = {} }: Rendered): object {
  const plain = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: Object.fromEntries(plain) as object,
  };
}

function asPod({ metadata: { name }, spec: { template } }: Deployment): object {
  const containers = template.spec.containers.map((container) => ({
    ...container,
    // Podman would publish the ports of the other containers too, all on the same host.
    ports: container.ports?.filter(({ hostPort }) => hostPort !== undefined),
    envFrom: container.envFrom?.map(({ configMapRef, secretRef }) => ({
      configMapRef: configMapRef ?? secretRef,
    })),
    // Of an HTTP probe it makes a curl inside the container, and there is none in the image.
    startupProbe: undefined,
    readinessProbe: undefined,
    livenessProbe: undefined,
  }));
  const metadata = { ...template.metadata, name };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...template.spec, containers } };
}
