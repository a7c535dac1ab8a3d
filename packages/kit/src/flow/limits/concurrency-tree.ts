import { fairShare } from './fair-share.ts';

/** Concurrency limits of the groups at one level. */
export type Level = {
  running: number;
  /** Most callers that may wait for their turn. */
  waiting: number;
  /** Number of callers of each inner group that may wait even beyond `waiting`. Default 0. */
  guaranteed?: number;
  /** Key of a group to which only the outer levels' limits apply. */
  exempt?: string;
  /**
   * Each group takes at most half of the places left by the other groups: of 100 places the first group gets 50, the second 25, so that a
   * further group always finds some.
   */
  fair?: true;
};

/** A waiting caller; `start` is called when it gets a place. */
export type Waiter = { start(): void };

/** Nested groups with their running and waiting callers. A group without callers is dropped. */
export type Tree = { readonly levels: readonly Level[]; readonly top: Group };

export type Group = {
  readonly key: string;
  running: number;
  waiting: number;
  readonly inner: Map<string, Group>;
  /** Waiting callers of an innermost group. */
  readonly queue: Set<Waiter>;
};

export function createTree(levels: readonly Level[]): Tree {
  return { levels, top: createGroup('') };
}

function createGroup(key: string): Group {
  return { key, running: 0, waiting: 0, inner: new Map(), queue: new Set() };
}

/** Takes a place in every group of the path; false when one of them is full or has waiting callers. */
export function takePlaces(tree: Tree, path: readonly string[]): boolean {
  const groups = groupsOf(tree, path);
  const isBehind = (groups.at(-1)?.waiting ?? 0) > 0;
  if (isBehind || groups.some((group, level) => isFull(tree, level, group, groups[level - 1] ?? tree.top))) {
    prune(tree, path, groups);
    return false;
  }
  add(tree, groups, 'running', 1);
  return true;
}

export function giveBackPlaces(tree: Tree, path: readonly string[]): void {
  const groups = groupsOf(tree, path);
  add(tree, groups, 'running', -1);
  prune(tree, path, groups);
}

export function hasQueueRoom(tree: Tree, path: readonly string[]): boolean {
  const groups = groupsOf(tree, path);
  const hasRoom = groups.every(({ key, waiting }, level) => {
    const limit = tree.levels[level];
    if (limit === undefined || key === limit.exempt || waiting < limit.waiting) return true;
    const inner = groups[level + 1];
    return inner !== undefined && inner.waiting < (limit.guaranteed ?? 0);
  });
  prune(tree, path, groups);
  return hasRoom;
}

export function enqueue(tree: Tree, path: readonly string[], waiter: Waiter): void {
  const groups = groupsOf(tree, path);
  groups.at(-1)?.queue.add(waiter);
  add(tree, groups, 'waiting', 1);
}

/** Removes a waiter that will not start from its queue. */
export function forget(tree: Tree, path: readonly string[], waiter: Waiter): void {
  const groups = groupsOf(tree, path);
  if (groups.at(-1)?.queue.delete(waiter)) add(tree, groups, 'waiting', -1);
  prune(tree, path, groups);
}

/** The waiter whose turn it is, with its places taken. */
export function takeNext(tree: Tree): Waiter | undefined {
  const { top } = tree;
  const waiter = top.waiting > 0 ? takeWithin(tree, top, 0) : undefined;
  if (waiter) {
    top.running += 1;
    top.waiting -= 1;
  }
  return waiter;
}

/** The group served last moves to the end of the round. */
function takeWithin(tree: Tree, outer: Group, level: number): Waiter | undefined {
  for (const [key, group] of outer.inner) {
    if (group.waiting === 0 || isFull(tree, level, group, outer)) continue;
    const isInnermost = level === tree.levels.length - 1;
    const waiter = isInnermost ? shift(group.queue) : takeWithin(tree, group, level + 1);
    if (!waiter) continue;
    group.running += 1;
    group.waiting -= 1;
    outer.inner.delete(key);
    outer.inner.set(key, group);
    return waiter;
  }
  return undefined;
}

/** The groups of a path from the outermost inwards; missing ones are created. */
function groupsOf({ top }: Tree, path: readonly string[]): Group[] {
  const groups: Group[] = [];
  let { inner } = top;
  for (const key of path) {
    let group = inner.get(key);
    if (!group) inner.set(key, (group = createGroup(key)));
    groups.push(group);
    ({ inner } = group);
  }
  return groups;
}

function prune({ top }: Tree, path: readonly string[], groups: readonly Group[]): void {
  for (let level = path.length - 1; level >= 0; level--) {
    const group = groups[level];
    if (!group || group.running > 0 || group.waiting > 0) return;
    (groups[level - 1] ?? top).inner.delete(path[level] ?? '');
  }
}

function add({ top }: Tree, groups: readonly Group[], what: 'running' | 'waiting', change: 1 | -1): void {
  for (const group of [top, ...groups]) group[what] += change;
}

function isFull({ levels }: Tree, level: number, { key, running }: Group, outer: Group): boolean {
  const limit = levels[level];
  if (limit === undefined || key === limit.exempt) return false;
  if (running >= limit.running) return true;
  const outerLimit = levels[level - 1];
  return (
    limit.fair === true &&
    outerLimit !== undefined &&
    fairShare(outerLimit.running - outer.running, running) < 1
  );
}

function shift(queue: Set<Waiter>): Waiter | undefined {
  for (const waiter of queue) {
    queue.delete(waiter);
    return waiter;
  }
  return undefined;
}
