import { Enums, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library';
import path from 'node:path';
import { describePackages, type BundledPackage } from '../build/packages.ts';
import { REPOSITORY } from '../build/paths.ts';
import { unacceptable } from '../licenses/allowed.ts';
import { makeBom, writeBom } from './bom.ts';

const SCOPED: BundledPackage = { name: '@grpc/grpc-js', version: '1.14.7', license: 'Apache-2.0' };
const EITHER: BundledPackage = { name: 'type-fest', version: '2.0.0', license: '(MIT OR CC0-1.0)' };
const UNKNOWN: BundledPackage = { name: 'odd', version: '1.0.0-rc.1+x', license: 'see LICENSE' };
const CONTENTS = {
  version: '1.2.3',
  node: '24.9.0',
  baseImage: `registry.example.com:5000/distroless/cc@sha256:${'a'.repeat(64)}`,
  bundles: { gateway: [SCOPED, EITHER], 'services/messaging': [SCOPED, UNKNOWN] },
};

type Bom = {
  metadata: { component: { name: string; version: string } };
  components: { name: string; purl?: string; cpe?: string; licenses?: unknown }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
};
const written = JSON.parse(writeBom(CONTENTS)) as Bom;

function find(name: string) {
  return written.components.find((one) => one.name === name);
}

test('the bill of materials keeps to the schema of CycloneDX 1.6', async () => {
  const normalizer = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  const text = new Serialize.JsonSerializer(normalizer).serialize(makeBom(CONTENTS));
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
});

test('it names the image, Node, the base image, every bundle and each package once', () => {
  expect(written.metadata.component).toMatchObject({
    name: 'parley',
    version: '1.2.3',
    type: Enums.ComponentType.Container,
  });
  expect(written.components.map(({ name }) => name).sort()).toEqual([
    'gateway',
    'grpc-js',
    'node',
    'odd',
    'registry.example.com:5000/distroless/cc',
    'services/messaging',
    'type-fest',
  ]);
  expect(find('grpc-js')?.purl).toBe('pkg:npm/%40grpc/grpc-js@1.14.7');
  expect(find('node')?.cpe).toBe('cpe:2.3:a:nodejs:node.js:24.9.0:*:*:*:*:*:*:*');
  expect(find('type-fest')?.licenses).toEqual([{ expression: '(MIT OR CC0-1.0)' }]);
  expect(find('registry.example.com:5000/distroless/cc')?.purl).toContain(`cc@sha256%3A${'a'.repeat(64)}`);
});

test('each bundle depends on its own packages', () => {
  const of = (ref: string) => written.dependencies.find((one) => one.ref === ref)?.dependsOn;
  expect(of('gateway@1.2.3')).toEqual(['pkg:npm/%40grpc/grpc-js@1.14.7', 'pkg:npm/type-fest@2.0.0']);
  expect(of('parley@1.2.3')).toContain('services/messaging@1.2.3');
});

test('the packages of a bundle are found from the names of its files', () => {
  const [root] = describePackages(['node_modules/prettier/index.mjs']);
  const absolute = path.join(REPOSITORY, 'node_modules/prettier/plugins/html.mjs');
  expect(root).toMatchObject({ name: 'prettier', license: 'MIT' });
  expect(describePackages([absolute, `\0${absolute}?module`, 'gateway/src/main.ts'])).toEqual([root]);
  expect(describePackages(['node_modules/@swc/core/index.js'])).toMatchObject([{ name: '@swc/core' }]);
});

test('a license that is missing, unknown or not on the list is refused', () => {
  const copyleft = { name: 'copyleft', version: '1.0.0', license: '(MIT AND GPL-3.0-only)' };
  const none = { name: 'none', version: '1.0.0', license: '' };
  expect(unacceptable([SCOPED, EITHER])).toEqual([]);
  expect(unacceptable([SCOPED, UNKNOWN, copyleft, none])).toEqual([
    'odd@1.0.0-rc.1+x has the license see LICENSE, which is not allowed.',
    'copyleft@1.0.0 has the license (MIT AND GPL-3.0-only), which is not allowed.',
    'none@1.0.0 has the license (none), which is not allowed.',
  ]);
});
