import { fairShare } from './fair-share.ts';

/** How much a group of one level may do at once. */
export type Level = {
  running: number;
  /** Callers that may wait for their turn. */
  waiting: number;
  /** Callers of each inner group that may wait even beyond `waiting`. Default 0. */
  guaranteed?: number;
  /** The key of a group that only the outer levels limit. */
  exempt?: string;
  /**
   * Each group takes at most half of the places that the other groups leave: of 100 places a first group gets 50, a
   * second one 25, so that a further one always finds some.
   */
  fair?: true;
};

/** A waiting caller; `start` is called when it gets its place. */
export type Waiter = { start(): void };

export type Tree = {
  /** Takes a place in every group of the path; false when one of them is full or has callers waiting. */
  enter(path: readonly string[]): boolean;
  leave(path: readonly string[]): void;
  hasQueueRoom(path: readonly string[]): boolean;
  enqueue(path: readonly string[], waiter: Waiter): void;
  /** Removes a waiter that will not start from its queue. */
  forget(path: readonly string[], waiter: Waiter): void;
  /** The waiter whose turn it is, with its places taken. */
  next(): Waiter | undefined;
  readonly running: number;
  readonly waiting: number;
};

type Node = {
  key: string;
  running: number;
  waiting: number;
  children: Map<string, Node>;
  queue: Set<Waiter>;
};

function createNode(key: string): Node {
  return { key, running: 0, waiting: 0, children: new Map(), queue: new Set() };
}

/** Counts running and waiting callers in nested groups. A group without any is dropped. */
export function createTree(levels: readonly Level[]): Tree {
  const top = createNode('');

  /** The groups of a path from the outermost inwards; missing ones are created. */
  function nodesOf(path: readonly string[]): Node[] {
    const nodes: Node[] = [];
    let { children } = top;
    for (const key of path) {
      let node = children.get(key);
      if (!node) children.set(key, (node = createNode(key)));
      nodes.push(node);
      ({ children } = node);
    }
    return nodes;
  }

  function prune(path: readonly string[], nodes: readonly Node[]): void {
    for (let level = path.length - 1; level >= 0; level--) {
      const node = nodes[level];
      if (!node || node.running > 0 || node.waiting > 0) return;
      (nodes[level - 1] ?? top).children.delete(path[level] ?? '');
    }
  }

  function add(nodes: readonly Node[], what: 'running' | 'waiting', change: 1 | -1): void {
    for (const node of [top, ...nodes]) node[what] += change;
  }

  function isFull({ key, running }: Node, level: number, parent: Node): boolean {
    const limit = levels[level];
    if (limit === undefined || key === limit.exempt) return false;
    if (running >= limit.running) return true;
    const outer = levels[level - 1];
    return (
      limit.fair === true && outer !== undefined && fairShare(outer.running - parent.running, running) < 1
    );
  }

  function canQueue(path: readonly Node[]): boolean {
    return path.every(({ key, waiting }, level) => {
      const limit = levels[level];
      if (limit === undefined || key === limit.exempt || waiting < limit.waiting) return true;
      const inner = path[level + 1];
      return inner !== undefined && inner.waiting < (limit.guaranteed ?? 0);
    });
  }

  /** The group that was served last goes to the end of the round. */
  function take(parent: Node, level: number): Waiter | undefined {
    for (const [key, node] of parent.children) {
      if (node.waiting === 0 || isFull(node, level, parent)) continue;
      const waiter = level === levels.length - 1 ? shift(node.queue) : take(node, level + 1);
      if (!waiter) continue;
      node.running += 1;
      node.waiting -= 1;
      parent.children.delete(key);
      parent.children.set(key, node);
      return waiter;
    }
    return undefined;
  }

  return {
    enter(path) {
      const nodes = nodesOf(path);
      const isBehind = (nodes.at(-1)?.waiting ?? 0) > 0;
      if (isBehind || nodes.some((node, level) => isFull(node, level, nodes[level - 1] ?? top))) {
        prune(path, nodes);
        return false;
      }
      add(nodes, 'running', 1);
      return true;
    },
    leave(path) {
      const nodes = nodesOf(path);
      add(nodes, 'running', -1);
      prune(path, nodes);
    },
    hasQueueRoom(path) {
      const nodes = nodesOf(path);
      const hasRoom = canQueue(nodes);
      prune(path, nodes);
      return hasRoom;
    },
    enqueue(path, waiter) {
      const nodes = nodesOf(path);
      nodes.at(-1)?.queue.add(waiter);
      add(nodes, 'waiting', 1);
    },
    forget(path, waiter) {
      const nodes = nodesOf(path);
      if (nodes.at(-1)?.queue.delete(waiter)) add(nodes, 'waiting', -1);
      prune(path, nodes);
    },
    next() {
      const waiter = top.waiting > 0 ? take(top, 0) : undefined;
      if (waiter) {
        top.running += 1;
        top.waiting -= 1;
      }
      return waiter;
    },
    get running() {
      return top.running;
    },
    get waiting() {
      return top.waiting;
    },
  };
}

function shift(queue: Set<Waiter>): Waiter | undefined {
  for (const waiter of queue) {
    queue.delete(waiter);
    return waiter;
  }
  return undefined;
}
