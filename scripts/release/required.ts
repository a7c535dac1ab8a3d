import semver from 'semver';
import {
  compareAsyncApi,
  type AsyncApiDocument,
} from '../../packages/contract/src/compatibility/asyncapi.ts';
import {
  breakingChanges,
  type ApiDocument,
} from '../../packages/contract/src/compatibility/compare-documents.ts';

/** The public contract as the last release published it, and as this checkout does. */
export type Contracts = {
  released: { openapi: ApiDocument; asyncapi: AsyncApiDocument };
  present: { openapi: ApiDocument; asyncapi: AsyncApiDocument };
};

/** The lowest version that may follow `current`, and why. */
export type Required = { version: string; reasons: string[] };

/**
 * Changes that break clients need a new major version, additions a new minor one, anything else a patch. Below 1.0.0 breaking changes
 * need a minor version and additions a patch, as semantic versions have it.
 */
export function requiredVersion(current: string, { released, present }: Contracts): Required {
  const isEarly = semver.major(current) === 0;
  const reasons = findBreaks({ released, present });
  if (reasons.length > 0) return { version: next(current, isEarly ? 'minor' : 'major'), reasons };
  const isSame = JSON.stringify(released) === JSON.stringify(present);
  const kind = isSame || isEarly ? 'patch' : 'minor';
  return { version: next(current, kind), reasons: isSame ? [] : ['the public contract has additions'] };
}

function findBreaks({ released, present }: Contracts): string[] {
  const hasNewMajor = (['openapi', 'asyncapi'] as const).filter(
    (name) =>
      Number.parseInt(present[name].info.version, 10) > Number.parseInt(released[name].info.version, 10),
  );
  return [
    ...hasNewMajor.map((name) => `docs/${name}.json has a new major version`),
    ...breakingChanges(released.openapi, present.openapi),
    ...compareAsyncApi(released.asyncapi, present.asyncapi),
  ];
}

function next(version: string, kind: 'major' | 'minor' | 'patch'): string {
  return semver.inc(version, kind) ?? version;
}
