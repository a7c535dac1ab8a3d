import { Contrib, Enums, Models, Serialize, Spec, Types } from '@cyclonedx/cyclonedx-library';
import satisfies from 'spdx-satisfies';
import type { BundledPackage } from '../build/packages.ts';

/** Contents of an image. `bundles` are named by their folder, such as `services/identity`; `baseImage` is a reference of an image. */
export type ImageContents = {
  version: string;
  node: string;
  baseImage: string;
  bundles: Record<string, readonly BundledPackage[]>;
};

const SPECIFICATION = Spec.Spec1dot6;
// It fails for a text that is not an SPDX expression; such a text becomes the name of a license.
const LICENSES = new Contrib.License.Factories.LicenseFactory((text) => satisfies(text, ['MIT']));

/**
 * The bill of materials of an image as CycloneDX 1.6 in JSON: the image depends on its base image, Node and the bundles, each bundle
 * on its packages. The same contents always give the same text.
 */
export function writeBom(contents: ImageContents): string {
  const bom = makeBom(contents);
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(SPECIFICATION));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

export function makeBom({ version, node, baseImage, bundles }: ImageContents): Models.Bom {
  const bom = new Models.Bom();
  const image = component(Enums.ComponentType.Container, 'parley', version);
  bom.metadata.component = image;
  const packages = packageComponents(Object.values(bundles).flat());
  const parts = Object.entries(bundles).map(([folder, content]) => {
    const bundle = component(Enums.ComponentType.Application, folder, version);
    bundle.licenses.add(LICENSES.makeFromString('Apache-2.0'));
    for (const one of content) bundle.dependencies.add(packages.get(keyOf(one))!.bomRef);
    return bundle;
  });
  parts.push(nodeComponent(node), baseComponent(baseImage));
  for (const part of parts) image.dependencies.add(part.bomRef);
  for (const one of [...parts, ...packages.values()]) bom.components.add(one);
  return bom;
}

function component(type: Enums.ComponentType, name: string, version: string): Models.Component {
  return new Models.Component(type, name, { version, bomRef: `${name}@${version}` });
}

function keyOf({ name, version }: BundledPackage): string {
  return `${name}@${version}`;
}

function packageComponents(all: readonly BundledPackage[]): Map<string, Models.Component> {
  const components = new Map<string, Models.Component>();
  for (const one of all) if (!components.has(keyOf(one))) components.set(keyOf(one), packageComponent(one));
  return components;
}

function packageComponent({ name, version, license }: BundledPackage): Models.Component {
  const [scope, bare = scope] = name.split('/');
  const purl = `pkg:npm/${bare === scope ? '' : `${encodeURIComponent(scope!)}/`}${bare}@${encodeURIComponent(version)}`;
  const library = new Models.Component(Enums.ComponentType.Library, bare!, {
    ...(bare === scope ? {} : { group: scope! }),
    version,
    purl,
    bomRef: purl,
  });
  if (license) library.licenses.add(LICENSES.makeFromString(license));
  return library;
}

// Advisories about Node name it by its CPE.
function nodeComponent(version: string): Models.Component {
  const node = component(Enums.ComponentType.Platform, 'node', version);
  node.purl = `pkg:generic/node@${version}`;
  const cpe = `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`;
  if (Types.isCPE(cpe)) node.cpe = cpe;
  node.licenses.add(LICENSES.makeFromString('MIT'));
  return node;
}

/** A reference has a tag, `gcr.io/distroless/cc-debian12:nonroot`, or a digest, `debian@sha256:…`, or neither. */
function baseComponent(reference: string): Models.Component {
  const [, name = reference, tag, digest] =
    /^(.+?)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(reference) ?? [];
  const version = digest ?? tag ?? 'latest';
  const base = new Models.Component(Enums.ComponentType.Container, name, { version, bomRef: reference });
  const registry = `repository_url=${encodeURIComponent(name)}`;
  const image = name.split('/').at(-1)!.toLowerCase();
  const at = digest ? `@${encodeURIComponent(digest)}` : '';
  base.purl = `pkg:oci/${image}${at}?${registry}${tag ? `&tag=${tag}` : ''}`;
  return base;
}
