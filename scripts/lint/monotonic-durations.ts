import type { Rule, Scope } from 'eslint';

type Node = Rule.Node;
type Binary = Parameters<NonNullable<Rule.NodeListener['BinaryExpression']>>[0];

const COMPARED = new Set(['-', '<', '<=', '>', '>=']);

/**
 * Refuses durations and deadlines within a process that are taken from a clock that can be set: a time of `clock.now()` that is kept
 * in a variable, and then compared with a later `clock.now()`. `Date.now()` is refused altogether: a process has a clock, whose `now` is
 * the time of the database, and whose `elapsed` never jumps.
 */
export const monotonicDurations: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      wall: 'Both sides are times of this process, by a clock that can be set. Use `elapsed()` of the clock, or `performance.now()`.',
      machine:
        'It is the clock of this machine, which may be wrong. Use the clock of the process: `now()` for times, `elapsed()` for durations.',
    },
  },
  create(context) {
    const { sourceCode } = context;

    function isWallTime(node: Node | undefined, seen: ReadonlySet<Scope.Variable>): boolean {
      if (!node) return false;
      if (node.type === 'CallExpression') return isNowOfClock(node.callee as Node);
      if (node.type === 'BinaryExpression' && (node.operator === '+' || node.operator === '-'))
        return isWallTime(node.left as Node, seen) || isWallTime(node.right as Node, seen);
      if (node.type === 'Identifier') return isWallVariable(node, seen);
      return false;
    }

    function isWallVariable(node: Node & { type: 'Identifier' }, seen: ReadonlySet<Scope.Variable>): boolean {
      const variable = findVariable(sourceCode.getScope(node), node.name);
      if (!variable || seen.has(variable)) return false;
      return valuesOf(variable).some((value) => isWallTime(value, new Set([...seen, variable])));
    }

    return {
      MemberExpression(node) {
        if (nameOf(node.object as Node) === 'Date' && nameOf(node.property as Node) === 'now')
          context.report({ node, messageId: 'machine' });
      },
      BinaryExpression(node: Binary) {
        const sides = [node.left as Node, node.right as Node];
        if (!COMPARED.has(node.operator) || !sides.some((side) => side.type === 'CallExpression')) return;
        const areBoth = sides.every((side) => isWallTime(side, new Set()));
        if (areBoth) context.report({ node: node as Node, messageId: 'wall' });
      },
    };
  },
};

function isNowOfClock(callee: Node): boolean {
  if (callee.type !== 'MemberExpression' || nameOf(callee.property as Node) !== 'now') return false;
  const { object } = callee;
  const name = nameOf((object.type === 'MemberExpression' ? object.property : object) as Node);
  return name !== undefined && /clock$/i.test(name);
}

function nameOf(node: Node): string | undefined {
  if (node.type === 'PrivateIdentifier') return node.name;
  return node.type === 'Identifier' ? node.name : undefined;
}

function findVariable(scope: Scope.Scope | null, name: string): Scope.Variable | undefined {
  for (let at = scope; at; at = at.upper) {
    const variable = at.set.get(name);
    if (variable) return variable;
  }
  return undefined;
}

/** All values that a variable is assigned. */
function valuesOf(variable: Scope.Variable): Node[] {
  return variable.references.flatMap(({ writeExpr }) => (writeExpr ? [writeExpr as Node] : []));
}
