import type { Rule } from 'eslint';
import { findAttack, type Expression } from './regexp/find-attack.ts';

type NodeOf<Type extends 'Literal' | 'CallExpression' | 'NewExpression'> = Parameters<
  NonNullable<Rule.NodeListener[Type]>
>[0];
type Call = NodeOf<'CallExpression'> | NodeOf<'NewExpression'>;
type Found = Expression & { node: Rule.Node };

const known = new Map<string, ReturnType<typeof findAttack>>();

/**
 * Refuses regular expressions on which a text can be written that takes more time than in proportion to its length: also while an expression
 * looks for its next match, which rules that look at one match alone overlook. An expression that is made while the program runs cannot be
 * looked at, and is refused as well.
 */
export const linearRegexp: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      slow: 'It takes quadratic time or worse on {{text}}. Write it so that no character is tried again and again, or read the text in a loop.',
      dynamic: 'Write a literal: an expression that is made of values cannot be checked for its time.',
    },
  },
  create(context) {
    function check({ node, source, flags, isRepeated }: Found): void {
      const key = JSON.stringify([source, flags, isRepeated]);
      if (!known.has(key)) known.set(key, findAttack({ source, flags, ...(isRepeated && { isRepeated }) }));
      const attack = known.get(key);
      if (!attack) return;
      const { before, pump, after } = attack;
      const text = `${JSON.stringify(before)} + ${JSON.stringify(pump)}.repeat(n) + ${JSON.stringify(after)}`;
      context.report({ node, messageId: 'slow', data: { text } });
    }

    function checkConstructed(node: Call): void {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
      const [source, flags] = node.arguments.map(textOf);
      if (source === undefined || (node.arguments.length > 1 && flags === undefined))
        return context.report({ node, messageId: 'dynamic' });
      check({ node, source, flags: flags ?? '' });
    }

    return {
      Literal(node) {
        if (!('regex' in node) || !node.regex) return;
        const { pattern: source, flags } = node.regex;
        check({ node, source, flags, isRepeated: isSplitBy(node) || undefined });
      },
      CallExpression: checkConstructed,
      NewExpression: checkConstructed,
    };
  },
};

/** Whether an expression is that of a `split`, which looks for all matches. */
function isSplitBy({ parent }: Rule.NodeParentExtension): boolean {
  const callee = parent.type === 'CallExpression' ? parent.callee : undefined;
  return (
    callee?.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'split'
  );
}

function textOf(node: Call['arguments'][number]): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}
