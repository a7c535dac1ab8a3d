import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { limits } from '@parley/contract/limits';
import { isMetadataWithinLimit, metadataEquals } from '@parley/domain/metadata';
import { applyPatch, joinPath, metadataValue, toValue } from '@parley/domain/metadata/patch';
import { PatchOperationSchema, type PatchOperation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import fc from 'fast-check';
import { planPatch } from './patch-plan.ts';

type Init = MessageInitShape<typeof PatchOperationSchema>;

const key = fc.constantFrom('a', 'b', 'c.d', 'constructor', 'toString', '1', '');
const leaf = fc.oneof(fc.constantFrom('x', 'y', 'é"\n'), fc.constant('long '.repeat(150)));
const metadata = fc.letrec<{ node: JsonObject }>((tie) => ({
  node: fc.dictionary(key, fc.oneof({ maxDepth: 3 }, leaf, tie('node')), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
})).node;
const path = fc.array(key, { maxLength: 4 });
const setStep = fc.record({ path, value: fc.oneof(leaf, metadata) }).map(({ path, value }): Init => ({
  step: { case: 'setMetadata', value: { path, value: toValue(value) } },
}));
const deleteStep = path.map((path): Init => ({ step: { case: 'deleteMetadata', value: { path } } }));
const steps = fc
  .array(fc.oneof(setStep, deleteStep), { maxLength: 12 })
  .map((all) => all.map((one) => create(PatchOperationSchema, one)));

/** A plain model of a patch; undefined: the patch is refused. A client that applies an event knows no limit. */
function modelOf(
  before: JsonObject,
  operations: readonly PatchOperation[],
  isWithin = isMetadataWithinLimit,
): JsonObject | undefined {
  let state = before;
  for (const { step } of operations) {
    const after: JsonObject | undefined =
      step.case === 'setMetadata'
        ? (setAt(state, step.value.path, metadataValue(step.value.value)) as JsonObject | undefined)
        : deleteAt(state, step.case === 'deleteMetadata' ? step.value.path : []);
    if (!after || (step.case === 'setMetadata' && !isWithin(after))) return undefined;
    state = after;
  }
  return state;
}

function setAt(at: JsonObject, [key, ...rest]: readonly string[], value: JsonValue): JsonValue | undefined {
  if (key === undefined) return typeof value === 'object' ? value : undefined;
  if (rest.length === 0) return { ...at, [key]: value };
  const inner = Object.hasOwn(at, key) ? at[key] : {};
  const changed = typeof inner === 'object' ? setAt(inner as JsonObject, rest, value) : undefined;
  return changed === undefined ? undefined : { ...at, [key]: changed };
}

function deleteAt(at: JsonObject, [key, ...rest]: readonly string[]): JsonObject {
  if (key === undefined) return {};
  if (!Object.hasOwn(at, key)) return at;
  const { [key]: inner, ...others } = at;
  if (rest.length === 0) return others;
  return typeof inner === 'object' ? { ...at, [key]: deleteAt(inner as JsonObject, rest) } : at;
}

const plan = (before: JsonObject, operations: readonly PatchOperation[]) =>
  planPatch({ participants: new Set(['ann']), metadata: before }, operations);

const shownBytes = (operations: readonly PatchOperation[]) =>
  operations.reduce((sum, { step }) => sum + JSON.stringify(shown(step)).length, 0);

function shown(step: PatchOperation['step']): object {
  if (step.case === 'setMetadata') {
    const property = joinPath(['metadata', ...step.value.path]);
    return { operation: 'set', property, value: metadataValue(step.value.value) };
  }
  if (step.case !== 'deleteMetadata') throw new Error(`unexpected step ${step.case}`);
  return { operation: 'delete', property: joinPath(['metadata', ...step.value.path]) };
}

test('a plan is what the steps make one by one, or none where one of them is refused', () => {
  let refused = 0;
  fc.assert(
    fc.property(metadata.filter(isMetadataWithinLimit), steps, (before, operations) => {
      const copy = structuredClone(before);
      const expected = modelOf(before, operations);
      if (!expected) {
        refused += 1;
        expect(() => plan(before, operations)).toThrow();
      } else {
        expect(Object.entries(plan(before, operations).metadata)).toEqual(Object.entries(expected));
      }
      expect(before).toEqual(copy);
    }),
    { numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(0);
});

test('what a client applies of the plan makes the same metadata, and nothing where nothing changed', () => {
  fc.assert(
    fc.property(metadata.filter(isMetadataWithinLimit), steps, (before, operations) => {
      const expected = modelOf(before, operations);
      if (!expected) return;
      const told = plan(before, operations).operations;
      expect(modelOf(before, told, () => true)).toEqual(expected);
      expect(told.length === 0).toBe(metadataEquals(before, expected));
      expect(shownBytes(told)).toBeLessThanOrEqual(limits.metadataChangeBytes);
    }),
    { numRuns: 500 },
  );
});

test('a step that sets nothing else than the steps beside it is told as it was sent', () => {
  const before = { a: { b: 'x', c: 'y' }, d: 'z' };
  const sent = [
    { step: { case: 'setMetadata', value: { path: ['a'], value: toValue({ b: 'other' }) } } },
    { step: { case: 'deleteMetadata', value: { path: ['d'] } } },
    { step: { case: 'setMetadata', value: { path: ['e', 'f'], value: toValue('new') } } },
  ].map((one) => create(PatchOperationSchema, one as Init));
  expect(plan(before, sent).operations).toEqual(sent);
});

test('of steps that undo each other the event has what is left', () => {
  const alternating = Array.from({ length: 900 }, (_, index) =>
    create(PatchOperationSchema, {
      step: {
        case: 'setMetadata',
        value: { path: ['a'], value: toValue(`${index % 2}`.repeat(1_000)) },
      },
    }),
  );
  const { operations } = plan({}, alternating);
  expect(operations).toHaveLength(1);
  expect(operations[0]).toEqual(alternating.at(-1));
});

test('many small changes below one long path are told by all of the metadata', () => {
  const long = 'k'.repeat(500);
  const after = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}`, 'x']));
  const operations = Object.keys(after).map((name) =>
    create(PatchOperationSchema, {
      step: { case: 'setMetadata', value: { path: [long, name], value: toValue('x') } },
    }),
  );
  const told = plan({ [long]: {} }, operations).operations;
  expect(told.map(({ step }) => step)).toMatchObject([{ case: 'setMetadata', value: { path: [] } }]);
  expect(applyPatch({}, told)).toEqual({ [long]: after });
});

/** The steps that make planning cost the most: small ones on large metadata, and large ones that replace each other. */
const COSTLY: Readonly<Record<string, (index: number) => Init>> = {
  'small steps beside a large text': (index) => ({
    step: { case: 'setMetadata', value: { path: ['n'], value: toValue(`${index}`) } },
  }),
  'steps that replace the large text': (index) => ({
    step: { case: 'setMetadata', value: { path: ['large'], value: toValue(`${index % 10}`.repeat(1_900)) } },
  }),
  'steps that replace everything': (index) => ({
    step: {
      case: 'setMetadata',
      value: { path: [], value: toValue({ [`${index % 10}`.repeat(900)]: '1'.repeat(900) }) },
    },
  }),
  'steps without effect': () => ({ step: { case: 'deleteMetadata', value: { path: ['large', 'x'] } } }),
};

test.each(Object.entries(COSTLY))('twice as many %s cost no more than twice as much', (_, make) => {
  const before = { large: 'x'.repeat(1_900) };
  const cost = (count: number) => {
    const operations = Array.from({ length: count }, (_, index) => create(PatchOperationSchema, make(index)));
    return countWork(() => plan(before, operations));
  };
  const [few, many] = [cost(400), cost(800)];
  const base = 16_000;
  expect(many - base).toBeLessThanOrEqual(2 * few);
  expect(cost(1_000)).toBeLessThanOrEqual(base + 1_000 * sizeOfSteps(make));
});

/** Bytes of one step, counted three times: when it is set, when it is replaced, and for what every step costs. */
function sizeOfSteps(make: (index: number) => Init): number {
  return 3 * (JSON.stringify(shown(create(PatchOperationSchema, make(7)).step)).length + 20);
}

/** Characters written as JSON, and entries of maps that are read or written. */
function countWork(work: () => void): number {
  const { stringify } = JSON;
  const { get, set } = Map.prototype;
  let count = 0;
  JSON.stringify = (value: unknown) => {
    const text = stringify(value);
    count += text.length;
    return text;
  };
  Map.prototype.get = function (key: unknown) {
    count += 1;
    return get.call(this, key) as unknown;
  };
  Map.prototype.set = function (key: unknown, value: unknown) {
    count += 1;
    return set.call(this, key, value);
  };
  try {
    work();
  } finally {
    Object.assign(JSON, { stringify });
    Object.assign(Map.prototype, { get, set });
  }
  return count;
}
