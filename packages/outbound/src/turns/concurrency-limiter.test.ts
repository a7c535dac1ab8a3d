import { createDeliveryLimiter, type DeliveryLimiter } from './concurrency-limiter.ts';

function capacityOf(limiter: DeliveryLimiter, id: string) {
  return limiter.listCapacities().find(({ targetId }) => targetId === id)?.capacity;
}

function target(target_id: string, app_id = 'app') {
  return { app_id, target_id };
}

function run(limiter: DeliveryLimiter, id: string, quick: boolean, { times = 1, app = 'app' } = {}): void {
  for (let time = 0; time < times; time += 1) {
    limiter.begin(target(id, app));
    limiter.end(target(id, app), quick);
  }
}

/** Begins what claims may take until no capacity is left for the application; returns how many deliveries began. */
function fill(limiter: DeliveryLimiter, app: string, ids: readonly string[]): number {
  let begun = 0;
  for (let before = -1; before !== begun;) {
    before = begun;
    for (const id of ids) {
      const capacity = Math.min(capacityOf(limiter, id) ?? limiter.initial, limiter.share(app));
      for (let i = 0; i < capacity; i += 1) limiter.begin(target(id, app));
      begun += capacity;
    }
  }
  return begun;
}

test('the limit of a target that answers well rises, up to a maximum', () => {
  const limiter = createDeliveryLimiter();
  run(limiter, 'a', true);
  expect(capacityOf(limiter, 'a')).toBe(limiter.initial + 1);
  run(limiter, 'a', true, { times: 1000 });
  expect(capacityOf(limiter, 'a')).toBe(64);
});

test('a target is half free while at most half of its limit is taken', () => {
  const limiter = createDeliveryLimiter();
  for (let taken = 0; taken < limiter.initial / 2; taken += 1) limiter.begin(target('a'));
  expect(limiter.isHalfFree('a')).toBe(true);
  limiter.begin(target('a'));
  expect(limiter.isHalfFree('a')).toBe(false);
});

test('the limit of a target that fails falls, but never to zero', () => {
  const limiter = createDeliveryLimiter();
  run(limiter, 'a', false, { times: 10 });
  expect(capacityOf(limiter, 'a')).toBe(2);
  limiter.begin(target('a'));
  limiter.begin(target('a'));
  expect(capacityOf(limiter, 'a')).toBe(0);
});

test('any number of dead targets leaves half of the whole capacity to the others', () => {
  const limiter = createDeliveryLimiter();
  const before = limiter.free();
  for (let app = 0; app < 2000; app += 1) run(limiter, `dead ${app}`, false, { times: 3, app: `app ${app}` });
  for (const { targetId, capacity } of limiter.listCapacities()) {
    for (let i = 0; i < capacity; i += 1) limiter.begin(target(targetId, targetId.replace('dead', 'app')));
  }
  expect(before - limiter.free()).toBeLessThanOrEqual(before / 2);
  expect(limiter.listCapacities().every(({ capacity }) => capacity === 0)).toBe(true);
});

test('an application with any number of targets takes half of the capacity, and each further one half of the rest', () => {
  const limiter = createDeliveryLimiter();
  const idsOf = (app: string) => Array.from({ length: 300 }, (_, index) => `${app} ${index}`);
  const all = limiter.free();
  expect(fill(limiter, 'first', idsOf('first'))).toBe(all / 2);
  expect(limiter.share('first')).toBe(0);
  expect(fill(limiter, 'second', idsOf('second'))).toBe(all / 4);
  for (let app = 0; app < 50; app += 1) {
    expect(fill(limiter, `app ${app}`, idsOf(`app ${app}`))).toBeGreaterThan(limiter.free() > 2 ? 1 : 0);
    if (limiter.free() === 0) break;
  }
});

test('the dead targets of one application leave capacity for those of another one', () => {
  const limiter = createDeliveryLimiter();
  for (let index = 0; index < 2000; index += 1) run(limiter, `dead ${index}`, false, { times: 3 });
  for (const { targetId, capacity } of limiter.listCapacities()) {
    for (let i = 0; i < capacity; i += 1) limiter.begin(target(targetId));
  }
  run(limiter, 'other', false, { times: 3, app: 'other' });
  expect(capacityOf(limiter, 'other')).toBe(2);
});

test('no capacity is negative when targets with much in progress become suspect together', () => {
  const limiter = createDeliveryLimiter();
  const ids = Array.from({ length: 12 }, (_, index) => `target ${index}`);
  for (const id of ids) run(limiter, id, true, { times: 60 });
  for (const id of ids) for (let i = 0; i < 60; i += 1) limiter.begin(target(id));
  for (const id of ids) for (let i = 0; i < 5; i += 1) limiter.end(target(id), false);
  run(limiter, 'of another application', false, { times: 5, app: 'other' });
  const capacities = limiter.listCapacities().map(({ capacity }) => capacity);
  expect(Math.min(...capacities)).toBe(0);
});
